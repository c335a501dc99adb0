import { Argument, type Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { bashCompletion } from './bash-completion.ts';
import { type CommandLine, commandLines } from './command-line.ts';
import { fishCompletion } from './fish-completion.ts';
import type { Run } from './host.ts';
import { zshCompletion } from './zsh-completion.ts';

const scripts: Record<string, (lines: CommandLine[]) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function completionCommand(
  command: Command,
  _provider: Provider,
  { host }: Run,
  whole: () => Promise<Command>,
): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
For this session, or each one from its startup file:
  bash  source <(trueup completion bash)
  zsh   source <(trueup completion zsh)     after compinit
  fish  trueup completion fish | source`,
    )
    .action(async (shell: string) => {
      host.stdout.write(scripts[shell]!(commandLines(await whole())));
    });
}
