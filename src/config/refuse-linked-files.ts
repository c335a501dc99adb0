import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FoundFile } from './find-files.ts';
import type { Sources } from './sources/sources.ts';
import { type SourceRequest, toRefusal } from './sources/verdict.ts';

/**
 * Returns a refusal for each of these files, by its real path, that a symbolic link of the repository leads to, unless git tracks it there
 * or the operator allows it. The user named the link (`-f`, `--var-file`) or a folder around it, but a branch decides where it leads.
 * Without this check it could lead to an ignored file with secrets, or to a ledger or plan. Asks git only if there are such links.
 */
export async function refuseLinkedFiles(
  files: readonly FoundFile[],
  cwd: string,
  allowed: Sources,
): Promise<ReadonlyMap<string, Diagnostic>> {
  const requests = (await Promise.all(files.map((file) => toLinkRequest(file, cwd)))).filter(
    (request) => request !== undefined,
  );
  const verdicts = requests.length > 0 ? await allowed.judge(requests, '') : [];
  return new Map(
    requests.flatMap((request, index) => {
      const refusal = toRefusal(request, verdicts[index]!);
      return refusal ? [[request.origin.file, refusal] as const] : [];
    }),
  );
}

/**
 * Returns the request for the permission to read a file of the configuration or of `--var-file` that is a link in the repository, or that
 * lies below one, because the author of the link may choose a file of somebody else. Undefined for any other file: links outside of the
 * repository are the user's own, and a content that is not read from disk (`text`), such as standard input, follows no link.
 */
async function toLinkRequest({ path: realFile, name, text }: FoundFile, cwd: string) {
  const file = path.resolve(cwd, name);
  const top = text === undefined && file !== realFile ? workTreeOf(file) : undefined;
  if (top === undefined) return undefined;
  const realTop = await realpath(top);
  // The only link is above the repository.
  if (path.join(realTop, path.relative(top, file)) === realFile) return undefined;
  const position = { file: name, line: 1, column: 1 };
  return {
    use: 'file',
    name,
    origin: { file: realFile },
    folder: realTop,
    at: position,
  } satisfies SourceRequest;
}
