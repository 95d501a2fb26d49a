/** Completions of shells, made of the commands and their options. */
import type { Command } from 'commander';
import type { Shell } from './program';

interface Completed {
  readonly name: string;
  readonly description: string;
  readonly options: readonly { readonly name: string; readonly description: string; readonly hasValue: boolean }[];
  /** Values of its only argument. */
  readonly choices: readonly string[];
}

export function completionOf(program: Command, shell: Shell): string {
  const common = optionsOf(program);
  const commands = program.commands.map((command): Completed => ({
    name: command.name(),
    description: command.description(),
    options: [...optionsOf(command), ...common],
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }));
  return { bash, zsh, fish }[shell](commands);
}

const optionsOf = (command: Command): Completed['options'] =>
  [...command.options.map(({ long, description, required }) => ({ name: long ?? '', description, hasValue: required }))].concat({
    name: '--help',
    description: 'show help',
    hasValue: false,
  });

const unique = (names: readonly string[]): string[] => [...new Set(names)];
const wordsOf = ({ options, choices }: Completed): string => [...choices, ...unique(options.map(({ name }) => name))].join(' ');
/** Quotes a text for all three shells. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '’')}'`;

/** Files are completed where no option is expected. */
const bash = (commands: readonly Completed[]): string => `_session_tree() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      ${commands.map(({ name }) => name).join('|')}) command="$word"; break ;;
    esac
  done
  local words
  case "$command" in
${commands.map((command) => `    ${command.name}) words=${quoted(wordsOf(command))} ;;`).join('\n')}
    *) words=${quoted([...commands.map(({ name }) => name), '--root', '--cache', '--json', '--help', '--version'].join(' '))} ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _session_tree session-tree
`;

const zsh = (commands: readonly Completed[]): string => `#compdef session-tree
_session_tree() {
  local -a commands
  local command="" word
  commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join('\n')}
  )
  for word in \${words[2,CURRENT-1]}; do
    case "$word" in
      ${commands.map(({ name }) => name).join('|')}) command="$word"; break ;;
    esac
  done
  case "$command" in
${commands.map((command) => `    ${command.name}) compadd -- ${wordsOf(command)}; _files ;;`).join('\n')}
    *) _describe 'command' commands; compadd -- --root --cache --json --help --version ;;
  esac
}
compdef _session_tree session-tree
`;

const fish = (commands: readonly Completed[]): string =>
  [
    'complete -c session-tree -n __fish_use_subcommand -f',
    ...commands.flatMap(({ name, description, options, choices }) => [
      `complete -c session-tree -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
      ...choices.map((choice) => `complete -c session-tree -n '__fish_seen_subcommand_from ${name}' -f -a ${choice}`),
      ...options.map(
        (option) =>
          `complete -c session-tree -n '__fish_seen_subcommand_from ${name}' -l ${option.name.slice(2)}${option.hasValue ? ' -r' : ''} -d ${quoted(option.description)}`,
      ),
    ]),
    '',
  ].join('\n');
