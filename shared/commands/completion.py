"""`tandem completion`: a script by which a shell completes commands, options and their values."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from shared.commands.command_list import COMMANDS, module_of

_LONGEST = 70
"""So much of what an option does fits beside it in a list."""


@dataclass(frozen=True, slots=True)
class CompletedOption:
    """An option of a command; without `choices` its value, if it takes one, may be a file."""

    names: tuple[str, ...]
    about: str
    takes_value: bool
    choices: tuple[str, ...]
    is_repeated: bool


@dataclass(frozen=True, slots=True)
class CompletedCommand:
    """A command with its options, and the words that may stand behind it where they are few."""

    name: str
    options: tuple[CompletedOption, ...]
    words: tuple[str, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a script that lets a shell complete commands, options and their values. For bash: "
        "tandem completion bash > ~/.local/share/bash-completion/completions/tandem; for zsh into "
        "a file _tandem in a folder of fpath; for fish into "
        "~/.config/fish/completions/tandem.fish."
    )
    parser.add_argument("shell", choices=_WRITERS, metavar="SHELL", help=", ".join(_WRITERS))


def run(arguments: argparse.Namespace) -> int:
    print("\n".join(_WRITERS[arguments.shell]([_completed(name) for name in COMMANDS])))
    return 0


def _completed(name: str) -> CompletedCommand:
    parser = argparse.ArgumentParser(prog=f"tandem {name}")
    module_of(name).add_arguments(parser)
    actions = parser._actions  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  no public way
    return CompletedCommand(
        name,
        tuple(_option(each) for each in actions if each.option_strings),
        tuple(
            str(word) for each in actions if not each.option_strings for word in each.choices or ()
        ),
    )


def _option(action: argparse.Action) -> CompletedOption:
    about = " ".join((action.help or "").replace("%%", "%").split())
    short = about if len(about) <= _LONGEST else about[:_LONGEST].rsplit(" ", 1)[0] + " …"
    is_repeated = type(action).__name__ == "_AppendAction"
    choices = tuple(map(str, action.choices or ()))
    return CompletedOption(
        tuple(action.option_strings), short, action.nargs != 0, choices, is_repeated
    )


# ---------------------------------------------------------------- bash


def _bash(commands: Iterable[CompletedCommand]) -> Iterator[str]:
    commands = list(commands)
    names = " ".join(each.name for each in commands)
    yield "_tandem() {"
    yield '    local cur="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" words='
    yield "    COMPREPLY=()"
    yield "    if ((COMP_CWORD == 1)); then"
    yield f'        words="{names} --help --version"'
    yield "    else"
    yield '        case "${COMP_WORDS[1]} $before" in'
    for each in commands:
        for option in each.options:
            if option.choices:
                asked = " | ".join(f'"{each.name} {name}"' for name in option.names)
                yield f'            {asked}) words="{" ".join(option.choices)}" ;;'
    yield "            *)"
    yield '                case "${COMP_WORDS[1]} $cur" in'
    for each in commands:
        options = " ".join(name for option in each.options for name in option.names)
        yield f'                    "{each.name} -"*) words="{options}" ;;'
        if each.words:
            yield f'                    "{each.name} "*) words="{" ".join(each.words)}" ;;'
    yield "                esac ;;"
    yield "        esac"
    yield "    fi"
    yield '    [[ -z $words ]] || COMPREPLY=($(compgen -W "$words" -- "$cur"))'
    yield "}"
    yield "complete -o default -F _tandem tandem"


# ---------------------------------------------------------------- zsh


def _zsh(commands: Iterable[CompletedCommand]) -> Iterator[str]:
    commands = list(commands)
    yield "#compdef tandem"
    yield "_tandem() {"
    yield "    if ((CURRENT == 2)); then"
    yield "        local -a commands=("
    for each in commands:
        yield f"            {_quoted(f'{each.name}:{COMMANDS[each.name]}')}"
    yield "        )"
    yield "        _describe command commands"
    yield "        return"
    yield "    fi"
    yield "    shift words"
    yield "    ((CURRENT--))"
    yield '    case "$words[1]" in'
    for each in commands:
        yield f"        {each.name})"
        specs = (_quoted(spec) for option in each.options for spec in _zsh_specs(option))
        rest = _quoted(f"*: :({' '.join(each.words)})" if each.words else "*: :_files")
        yield f"            _arguments {' '.join(specs)} {rest} ;;"
    yield "    esac"
    yield "}"
    yield 'if [[ "$funcstack[1]" == _tandem ]]; then _tandem "$@"; else compdef _tandem tandem; fi'


def _zsh_specs(option: CompletedOption) -> Iterator[str]:
    about = "".join(f"\\{char}" if char in "[]:\\" else char for char in option.about)
    value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files"
    for name in option.names:
        repeated = "*" if option.is_repeated else ""
        yield f"{repeated}{name}[{about}]{value if option.takes_value else ''}"


# ---------------------------------------------------------------- fish


def _fish(commands: Iterable[CompletedCommand]) -> Iterator[str]:
    for each in commands:
        about = _quoted_for_fish(COMMANDS[each.name])
        yield f"complete -c tandem -n __fish_use_subcommand -f -a {each.name} -d {about}"
        behind = f"complete -c tandem -n '__fish_seen_subcommand_from {each.name}'"
        if each.words:
            yield f"{behind} -f -a '{' '.join(each.words)}'"
        for option in each.options:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            )
            value = " -r" if option.takes_value else ""
            value = f" -x -a '{' '.join(option.choices)}'" if option.choices else value
            yield f"{behind} {names}{value} -d {_quoted_for_fish(option.about)}"


def _quoted(said: str) -> str:
    return "'" + said.replace("'", "'\\''") + "'"


def _quoted_for_fish(said: str) -> str:
    return "'" + said.replace("\\", "\\\\").replace("'", "\\'") + "'"


_WRITERS: Mapping[str, Callable[[Iterable[CompletedCommand]], Iterator[str]]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
