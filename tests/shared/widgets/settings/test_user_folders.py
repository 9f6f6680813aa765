from shared.widgets.settings.user_folders import all_kept_in, settings_folder, state_folder


def test_settings_and_what_is_remembered_are_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert settings_folder() == tmp_path / "config" / "tandem"
    assert state_folder() == tmp_path / "state" / "tandem"


def test_the_users_can_be_left_alone_for_a_while(tmp_path):
    before = settings_folder()
    with all_kept_in(tmp_path):
        assert settings_folder() == state_folder() == tmp_path
    assert settings_folder() == before
