/** The programs whose agents may be let look up sessions, and where their settings are. */
import { isAbsolute, join } from 'node:path';
import { AGENT_PROGRAMS, type AgentProgram } from '../../contract';
import { settingsFolder, type RootEnvironment } from '../../core/index';
import type { AgentFiles } from '../agentFiles';
import { skillText } from './skill';

export const TARGETS = AGENT_PROGRAMS;
export type TargetId = AgentProgram;

/** The name of our entry in others' settings. */
export const ENTRY = 'session-tree';

export interface Target {
  readonly id: TargetId;
  readonly name: string;
  /** The file that is changed. */
  readonly file: string;
  readonly content:
    /** An entry of an object in JSON with comments: its keys from the top, and the value. */
    | { readonly form: 'json'; readonly keys: readonly string[]; readonly value: object }
    /** A table of TOML: the keys of its name, and its lines. */
    | { readonly form: 'toml'; readonly table: readonly string[]; readonly text: string }
    /** A file of its own. */
    | { readonly form: 'file'; readonly text: string };
}

type Paths = Pick<AgentFiles, 'launcher' | 'settings'>;

/**
 * The places are those of the programs' documentation: https://code.claude.com/docs/en/mcp, https://developers.openai.com/codex/mcp,
 * https://cursor.com/docs/mcp, `docs/mcp-config.md` of oh-my-pi, https://docs.openclaw.ai/cli/mcp, https://pi.dev/docs/latest/skills.
 */
export function targetOf(id: TargetId, environment: RootEnvironment, { launcher, settings }: Paths): Target {
  const { env, home } = environment;
  const folder = (name: string, ...usual: string[]): string => {
    const named = env[name];
    return named !== undefined && isAbsolute(named) ? named : join(home, ...usual);
  };
  const command = { command: launcher, args: ['--settings', settings, 'mcp'] };
  const json = (name: string, file: string, keys: readonly string[], value: object = command): Target => ({
    id,
    name,
    file,
    content: { form: 'json', keys: [...keys, ENTRY], value },
  });
  switch (id) {
    case 'claude':
      return json('Claude Code', join(folder('CLAUDE_CONFIG_DIR'), '.claude.json'), ['mcpServers'], { type: 'stdio', ...command });
    case 'codex':
      return {
        id,
        name: 'Codex',
        file: join(folder('CODEX_HOME', '.codex'), 'config.toml'),
        content: {
          form: 'toml',
          table: ['mcp_servers', ENTRY],
          text: `[mcp_servers.${ENTRY}]\ncommand = ${tomlText(launcher)}\nargs = [${command.args.map(tomlText).join(', ')}]\n`,
        },
      };
    case 'cursor':
      return json('Cursor', join(home, '.cursor', 'mcp.json'), ['mcpServers']);
    case 'omp':
      return json('oh-my-pi', join(settingsFolder('omp', environment), 'mcp.json'), ['mcpServers']);
    case 'openclaw':
      return json('OpenClaw', join(settingsFolder('openclaw', environment), 'openclaw.json'), ['mcp', 'servers']);
    case 'pi':
      return {
        id,
        name: 'pi',
        file: join(settingsFolder('pi', environment), 'skills', ENTRY, 'SKILL.md'),
        content: { form: 'file', text: skillText(launcher, settings) },
      };
  }
}

/** Basic strings of TOML have the escapes of JSON. */
const tomlText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');
