import { createReportPlaces } from '../app/ci-job.ts';
import { prepareOutputFile, writeOutputFile } from '../app/output-file.ts';
import type { PlannedStack } from '../app/planning/plan-stacks.ts';
import { problemsOf } from '../app/problems-of.ts';
import { type ApplyResult, applyCommentMarkdown } from '../report/markdown/applied-markdown.ts';
import { failureMarkdown } from '../report/markdown/failure-markdown.ts';
import { commentLimit } from '../report/markdown/forms.ts';
import type { CommandRun } from './command-run.ts';
import type { Terminal } from './terminal.ts';

/** Bytes for the line at the end that names the commit and the run. */
const footRoom = 400;

/**
 * Does some work and writes its result as Markdown for the comment of a pull request, also if it fails. Whether the file can be written is
 * checked before. Without a file it only does the work.
 */
export async function withReport(
  file: string | undefined,
  run: CommandRun,
  work: () => Promise<void>,
): Promise<void> {
  if (file === undefined) return work();
  await prepareOutputFile(run.host, file);
  const deed: ApplyResult = {};
  run.deed = deed;
  try {
    await work();
  } catch (error) {
    deed.failed = problemsOf(error);
    throw error;
  } finally {
    await writeOutputFile(run.host, file, formatReport(deed, run));
  }
}

function formatReport(deed: ApplyResult, { stack, host }: CommandRun): string {
  const places = createReportPlaces(host);
  const { failed = [], outcome, plan } = deed;
  const text = applyCommentMarkdown(
    outcome ? { ...deed, failed: undefined } : deed,
    commentLimit - footRoom,
    places,
  );
  if (text !== undefined) return text;
  const errors = failed.length > 0 ? failed : (plan?.diagnostics ?? []);
  const failure = { command: 'apply', done: 'applied', diagnostics: errors, stack };
  return failureMarkdown(failure, commentLimit - footRoom, places);
}

/** Notes for the report of a run why none of its stacks was begun. */
export function reportNotStarted({ deed }: CommandRun, planned: readonly PlannedStack[]): void {
  if (deed)
    deed.parts = planned.map(({ report }) => {
      const { id, failed, plan } = report;
      const wrong = failed ?? (plan?.diagnostics ?? []).filter(({ severity }) => severity === 'error');
      return wrong.length > 0
        ? { id, failed: wrong }
        : { id, skipped: 'Not started: not every stack could be planned.' };
    });
}

/** Starts the record of each stack among those of the run, in their order. */
export function startStackReport(id: string, { run }: Terminal, member: Terminal): ApplyResult {
  const deed: ApplyResult = { id };
  member.run.deed = deed;
  run.deed?.parts?.push(deed);
  return deed;
}
