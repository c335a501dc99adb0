import type { ChangedFile } from '../accept/changed-files.ts';
import { problem } from '../model/diagnostic.ts';
import { count } from '../report/text.ts';
import { isYes, type Terminal } from '../terminal/terminal.ts';

/**
 * Asks whether a command such as `trueup accept` may write files of the configuration, whose difference it has shown. Throws `Problems`
 * without a terminal. `command`: its name in that message.
 */
export const confirmFiles = (
  terminal: Terminal,
  files: readonly ChangedFile[],
  command: string,
): Promise<boolean> =>
  isYes(terminal, {
    question: `Write ${count(files.length, 'file')}?`,
    no: 'Nothing was written.',
    unattended: problem(
      'cli/unattended',
      `${command} needs a terminal or --auto-approve; nothing was written`,
      { hint: 'pass --auto-approve where the diff is reviewed later, as in a pull request' },
    ),
  });
