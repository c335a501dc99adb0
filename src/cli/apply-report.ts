import { type Deed, deedMarkdown } from '../report/markdown/applied-markdown.ts';
import { failureMarkdown } from '../report/markdown/failure-markdown.ts';
import { commentLimit } from '../report/markdown/forms.ts';
import type { Run } from './host.ts';
import { outputFile, writeOutput } from './output-file.ts';
import { placesOn } from './places-on.ts';
import { problemsOf } from './report-error.ts';

/** Bytes for the line at the end that names the commit and the run. */
const footRoom = 400;

/**
 * Does this, and writes what came of it as Markdown for the comment of a pull request: also where it fails, and before that whether the
 * file can be written at all. Without a file it only does it.
 */
export async function reported(file: string | undefined, run: Run, work: () => Promise<void>): Promise<void> {
  if (file === undefined) return work();
  await outputFile(run.host, file);
  const deed: Deed = {};
  run.deed = deed;
  try {
    await work();
  } catch (error) {
    deed.failed = problemsOf(error);
    throw error;
  } finally {
    await writeOutput(run.host, file, reportOf(deed, run));
  }
}

function reportOf(deed: Deed, { stack, host }: Run): string {
  const places = placesOn(host);
  const { failed = [], outcome, plan } = deed;
  const text = deedMarkdown(outcome ? { ...deed, failed: undefined } : deed, commentLimit - footRoom, places);
  if (text !== undefined) return text;
  const errors = failed.length > 0 ? failed : (plan?.diagnostics ?? []);
  const failure = {
    command: 'apply',
    done: 'applied',
    diagnostics: errors,
    ...(stack === undefined ? {} : { stack }),
  };
  return failureMarkdown(failure, commentLimit - footRoom, places);
}
