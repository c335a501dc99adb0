import { fstatSync } from 'node:fs';
import { inActions, inCi } from '../app/host.ts';
import { withoutCommands, withoutInlineCommands } from '../model/runner-commands.ts';
import type { CommandHost, OutputStream } from './command-run.ts';

/**
 * Returns a text as a stream may show it, so that the program behind the stream finds no command in it: a YAML text of several lines can
 * hold any line. This does not depend on the environment, because no list of CI systems is complete. A file keeps its text, because no
 * runner reads it. Only in GitHub Actions, where a later step often prints the file, commands inside its lines are escaped.
 */
export function withoutWorkflowCommands(stream: OutputStream, host: CommandHost, text: string): string {
  if (!isFileStream(stream)) return withoutCommands(text, inCi(host));
  return inActions(host) ? withoutInlineCommands(text) : text;
}

/** True for output that is redirected to a file. */
export const isFileStream = ({ fd }: OutputStream): boolean => fd !== undefined && fstatSync(fd).isFile();
