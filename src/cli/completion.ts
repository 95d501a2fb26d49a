/** Completions of shells, made of the commands and their options. */
import type { Command, Option } from 'commander';
import type { Shell } from './program';

interface CompletedOption {
  readonly name: string;
  readonly description: string;
  readonly isRepeatable: boolean;
  /** The value that follows it: one of some words, a path, another text, or nothing. */
  readonly value: readonly string[] | 'path' | 'text' | undefined;
}

interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly hasArguments: boolean;
  /** Values of its only argument; empty for paths. */
  readonly choices: readonly string[];
}

/** Returns the script that a shell reads to complete the program's commands, options and their values. */
export function completionOf(program: Command, shell: Shell): string {
  const common = optionsOf(program);
  const commands = program.commands.map((command): CompletedCommand => ({
    name: command.name(),
    description: command.description(),
    options: optionsOf(command).filter(({ name }) => common.every((one) => one.name !== name)),
    hasArguments: command.registeredArguments.length > 0,
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }));
  return { bash, zsh, fish }[shell](commands, common);
}

const optionsOf = (command: Command): CompletedOption[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      name: option.long ?? '',
      description: option.description,
      isRepeatable: option.parseArg !== undefined && /repeatable/.test(option.description),
      value: valueOf(option),
    }));

function valueOf({ required, flags, argChoices }: Option): CompletedOption['value'] {
  if (!required) return undefined;
  return argChoices ?? (/<(?:folder|file|path)/.test(flags) ? 'path' : 'text');
}

/** Quotes a text for all three shells. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '’')}'`;
const namesOf = (named: readonly { readonly name: string }[]): string[] => named.map(({ name }) => name);

function bash(commands: readonly CompletedCommand[], common: readonly CompletedOption[]): string {
  const all = [...new Map([...common, ...commands.flatMap(({ options }) => options)].map((option) => [option.name, option])).values()];
  const after = (value: CompletedOption['value']): string => namesOf(all.filter((option) => option.value === value)).join('|');
  const taken = [...new Set(namesOf(common.filter(({ value }) => value !== undefined)))].join('|');
  const chosen = all.flatMap(({ name, value }) => (typeof value === 'object' ? [`    ${name}) words=${quoted(value.join(' '))} ;;`] : []));
  const cases = commands.map(({ name, options, hasArguments, choices }) => {
    const words = quoted(namesOf([...options, ...common]).join(' '));
    if (!hasArguments) return `      ${name}) words=${words} ;;`;
    const others = choices.length > 0 ? `words=${quoted(choices.join(' '))}` : 'files=1';
    return `      ${name}) case "$current" in -*) words=${words} ;; *) ${others} ;; esac ;;`;
  });
  return `_session_tree() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" before="" word words="" files=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ "$word" = "=" ]; then continue; fi
    case "$before" in
      ${taken}) ;;
      *) case "$word" in ${namesOf(commands).join('|')}) command="\${command:-$word}" ;; esac ;;
    esac
    before="$word"
  done
  if [ "$current" = "=" ]; then current=""; fi
  case "$before" in
${chosen.join('\n')}
    ${after('path')}) files=1 ;;
    ${after('text')}) ;;
    *) case "$command" in
${cases.join('\n')}
      *) words=${quoted([...namesOf(commands), ...namesOf(common)].join(' '))} ;;
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ -n "$files" ]; then local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _session_tree session-tree
`;
}

function zsh(commands: readonly CompletedCommand[], common: readonly CompletedOption[]): string {
  const option = ({ name, description, isRepeatable, value }: CompletedOption): string => {
    const about = `[${description.replaceAll(/[[\]:]/g, '')}]`;
    const values = typeof value === 'object' ? `(${value.join(' ')})` : value === 'path' ? '_files' : '';
    return quoted(`${isRepeatable ? '*' : ''}${name}${value === undefined ? about : `=${about}:value:${values}`}`);
  };
  const options = common.map(option);
  const cases = commands.map((command) => {
    const argument = command.hasArguments
      ? [quoted(command.choices.length > 0 ? `1:value:(${command.choices.join(' ')})` : '*:file:_files')]
      : [];
    return `        ${command.name}) _arguments ${[...command.options.map(option), ...argument].join(' ')} "\${common[@]}" ;;`;
  });
  return `#compdef session-tree
_session_tree() {
  local context state line
  local -a common commands
  typeset -A opt_args
  common=(
    ${options.join('\n    ')}
  )
  _arguments -C "\${common[@]}" '1:command:->command' '*::argument:->argument'
  case "$state" in
    command)
      commands=(
${commands.map(({ name, description }) => `        ${quoted(`${name}:${description}`)}`).join('\n')}
      )
      _describe 'command' commands ;;
    argument)
      case "$line[1]" in
${cases.join('\n')}
      esac ;;
  esac
}
compdef _session_tree session-tree
`;
}

function fish(commands: readonly CompletedCommand[], common: readonly CompletedOption[]): string {
  const names = namesOf(commands).join(' ');
  const option = ({ name, description, value }: CompletedOption, condition: string): string => {
    const values =
      typeof value === 'object' ? ` -x -a ${quoted(value.join(' '))}` : value === 'path' ? ' -r -F' : value === 'text' ? ' -x' : '';
    return `complete -c session-tree${condition} -l ${name.slice(2)}${values} -d ${quoted(description)}`;
  };
  return [
    'complete -c session-tree -f',
    ...common.map((one) => option(one, '')),
    ...commands.flatMap(({ name, description, options, hasArguments, choices }) => {
      const seen = ` -n '__fish_seen_subcommand_from ${name}'`;
      return [
        `complete -c session-tree -n 'not __fish_seen_subcommand_from ${names}' -a ${name} -d ${quoted(description)}`,
        ...(hasArguments ? [`complete -c session-tree${seen} ${choices.length > 0 ? `-a ${quoted(choices.join(' '))}` : '-F'}`] : []),
        ...options.map((one) => option(one, seen)),
      ];
    }),
    '',
  ].join('\n');
}
