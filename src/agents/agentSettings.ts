/** Work of the commands for programs outside of the editor: their settings, the command in PATH, and the record of look-ups. */
import type { AgentProgram, LookupRecord } from '../contract';
import { currentEnvironment } from '../core/index';
import { loadCode } from '../ui/loadCode';
import type { PlannedEntry } from './install/install';
import type { InstalledCommand } from './install/pathCommand';
import type { Target } from './install/targets';
import type { MemoryAccess } from './memoryAccess';

export interface AgentSettingsDeps {
  readonly access: MemoryAccess;
  /** The extension's folder. */
  readonly extension: string;
  readonly onError: (error: unknown, doing: string) => void;
}

export class AgentSettings {
  constructor(private readonly deps: AgentSettingsDeps) {}

  /** Returns the recorded look-ups, oldest first. @throws {SessionError} if they can't be read */
  async lookups(): Promise<LookupRecord[]> {
    const { readLookups } = await loadCode(() => import('../memory/lookups'), this.deps.onError);
    return readLookups(this.deps.access.files.log);
  }

  /** Returns the file of a program, and what would be written there. @throws {SessionError} `invalid` if it can't be changed safely */
  async plan(program: AgentProgram): Promise<Pick<Target, 'name' | 'file'> & PlannedEntry> {
    const { planEntry } = await this.install();
    const target = await this.target(program);
    return { name: target.name, file: target.file, ...(await planEntry(target, this.deps.access.files)) };
  }

  /** @throws {SessionError} as `writeEntry` */
  async write(program: AgentProgram): Promise<void> {
    const { writeEntry, extensionsFolder } = await this.install();
    // The entry starts the launcher, which needs the settings.
    await this.deps.access.write();
    await writeEntry(await this.target(program), this.deps.access.files, extensionsFolder(this.deps.extension));
  }

  /** @returns false if there's nothing of ours @throws {SessionError} as `takeBackEntry` */
  async takeBack(program: AgentProgram): Promise<boolean> {
    const { takeBackEntry } = await this.install();
    return takeBackEntry(await this.target(program), this.deps.access.files);
  }

  /** @throws {SessionError} as `installCommand` */
  async installCommand(): Promise<InstalledCommand> {
    const { extensionsFolder } = await this.install();
    const { installCommand } = await loadCode(() => import('./install/pathCommand'), this.deps.onError);
    await this.deps.access.write();
    return installCommand(this.deps.access.files, currentEnvironment(), extensionsFolder(this.deps.extension));
  }

  /** @returns the path of what was removed; `undefined` if there's nothing of ours */
  async uninstallCommand(): Promise<string | undefined> {
    const { uninstallCommand } = await loadCode(() => import('./install/pathCommand'), this.deps.onError);
    return uninstallCommand(this.deps.access.files);
  }

  // The type is that of the module, which nothing else names.
  private install() {
    return loadCode(() => import('./install/install'), this.deps.onError);
  }

  private async target(program: AgentProgram): Promise<Target> {
    const { targetOf } = await loadCode(() => import('./install/targets'), this.deps.onError);
    return targetOf(program, currentEnvironment(), this.deps.access.files);
  }
}
