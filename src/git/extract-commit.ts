import { Problems } from '../model/diagnostic.ts';
import { type ExtractedFiles, extractFiles } from './commits.ts';
import { GitError } from './git.ts';

/** Extracts the files of a commit into a temporary folder, which the caller removes. Throws `Problems` if git cannot read the commit. */
export const extractCommit = (
  ref: string,
  host: { cwd: string; env: Record<string, string | undefined> },
): Promise<ExtractedFiles> =>
  extractFiles(ref, host.cwd, host.env).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    throw new Problems('git/ref', `cannot read the files at ${JSON.stringify(ref)} from git`, {
      hint: 'name a commit, branch or tag that exists here; a shallow checkout has only the latest commits: git fetch --unshallow',
    });
  });
