import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { Run } from './host.ts';

export function blameCommand(command: Command, _: Provider, run: Run): void {
  command.argument('<address>').action(async () => void run);
}
