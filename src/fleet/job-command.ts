import { join } from 'node:path';
import { readWorkspace } from '../config/workspace.ts';
import type { LedgerChoice } from '../stores/ledger-choice.ts';
import type { StackJob } from './job.ts';
import { maxReasonLength } from './job-checkout.ts';
import { Refused } from './refusal.ts';

/** The files that a job writes in its folder: `plan` for a saved plan, `report` for the Markdown report. */
interface JobFiles {
  plan: string;
  report: string;
}

/**
 * Returns the words of the trueup command with which a fleet worker does a job, without the flags that name the stack. The command reads and
 * writes the given files.
 */
export function commandOf(job: StackJob, { plan, report }: JobFiles): string[] {
  switch (job.action) {
    case 'plan': {
      const canaryFlag = job.canary === false ? ['--no-canary'] : [];
      return ['plan', '--out', plan, '--format', 'markdown', ...canaryFlag];
    }
    case 'drift':
      return ['plan', '--drift-exitcode', '--format', 'markdown'];
    case 'apply':
      return ['apply', plan, '--report', report, '--lock-wait', '120'];
  }
}

/**
 * Returns the flags by which the command of a fleet job finds the stack and its ledger in the worker's checkout (`--file`, `--stage`,
 * `--ledger`). `workspace`: the folder of the workspace in the checkout. Throws `Refused` if the workspace of this commit does not have the
 * stack.
 */
export async function createStackFlags(
  { stack }: StackJob,
  workspace: string,
  { options }: { options: LedgerChoice },
): Promise<string[]> {
  const { folder, entries } = await readWorkspace(workspace, workspace);
  // `shop@staging` is the stage `staging` of the entry `shop`, unless an entry itself has that path.
  const index = stack.lastIndexOf('@');
  const pathWithoutStage = index > 0 ? stack.slice(0, index) : undefined;
  const entry =
    entries.find(({ path }) => path === stack) ?? entries.find(({ path }) => path === pathWithoutStage);
  if (!entry) throw new Refused(`there is no stack ${stack} in the workspace of this commit`);
  const stageFlag = entry.path === stack ? [] : [`--stage=${stack.slice(index + 1)}`];
  return [
    `--file=${join(folder, entry.file)}`,
    ...stageFlag,
    ...(options.ledger === undefined ? [] : [`--ledger=${options.ledger}`]),
    ...(options.ledgerIndex === undefined ? [] : [`--ledger-index=${options.ledgerIndex}`]),
  ];
}

/**
 * Returns the part of a command's messages that explains why a job failed: from the first error on, without the progress before it. `fleet
 * status` shows it, so it is cut at the length that the queue accepts.
 */
export function findReason(messages: string): string {
  const index = messages.search(/^(?:Error|\S.*: failed): /m);
  const reason =
    index < 0 ? messages.slice(-maxReasonLength) : messages.slice(index, index + maxReasonLength);
  return reason.trim();
}
