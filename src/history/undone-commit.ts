import { listCommitsSince, resolveCommit } from '../git/commits.ts';
import type { Host } from '../host.ts';
import { Problems } from '../model/diagnostic.ts';
import { type ConfigurationReader, withoutResources } from './configuration-reader.ts';
import type { UndoneCommit } from './undo-target.ts';

/** Returns the full id of a commit that the user named. Throws `Problems` if the repository does not have it. */
export async function requireCommit(name: string, { cwd, env }: Pick<Host, 'cwd' | 'env'>): Promise<string> {
  const id = await resolveCommit(name, cwd, env);
  if (id !== undefined) return id;
  throw new Problems('git/ref', `there is no commit ${JSON.stringify(name)} in this repository`, {
    hint: 'name a commit that exists here; a shallow checkout has only the latest commits: git fetch --unshallow',
  });
}

/** Reads the configurations at a commit and at its first parent, which show what the commit changed. */
export async function readUndoneCommit(
  id: string,
  reader: ConfigurationReader,
  { cwd, env }: Pick<Host, 'cwd' | 'env'>,
): Promise<UndoneCommit> {
  const parent = await resolveCommit(`${id}^1`, cwd, env);
  const containing = await listCommitsSince(id, cwd, env);
  const after = await reader.readOrEmpty(id);
  const before = parent === undefined ? withoutResources(after) : await reader.readOrEmpty(parent);
  return { id, containing, configurations: [after.desired, before.desired] };
}
