/** The parts of Share Session, loaded together into a fake editor. */
export { shareCommands } from '../../../../src/commands/share/shareCommands';
export { commandCallback } from '../../../../src/commands/handler/commandHandler';
export { createNotifier } from '../../../../src/commands/handler/notifications';
