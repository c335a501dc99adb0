import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { refuseUnwritable } from '../files/write-files.ts';
import type { Host } from '../host.ts';
import { createHomeFolder, homeFolder } from '../stores/ledger-choice.ts';
import type { SecretGroup } from './group-secrets.ts';
import { githubSecretName } from './repository.ts';

/**
 * Writes a form for each JSON secret, `.trueup/ci/NAME.json`, with the keys of its members, for a person to fill in and to pass to the code
 * host. git ignores the folder, and only the user can read the files. A form has no values: `null` is no valid secret, so a member that was
 * forgotten is an error and not an empty text. Existing forms stay. Returns the written ones.
 */
export async function writeSecretForms(
  groups: readonly SecretGroup[],
  stackFolder: string,
  host: Host,
): Promise<{ name: string; members: number }[]> {
  if (groups.length === 0) return [];
  await createHomeFolder({ ...host, cwd: stackFolder });
  const folder = path.join(stackFolder, homeFolder, 'ci');
  const written: { name: string; members: number }[] = [];
  for (const { family, env, keys } of groups) {
    const file = path.join(folder, `${githubSecretName({ name: family, env })}.json`);
    const name = path.relative(host.cwd, file);
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseUnwritable(name));
    const text = `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, null])), null, 2)}\n`;
    const isNew = await writeFile(file, text, { flag: 'wx', mode: 0o600 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : refuseUnwritable(name)(error)),
    );
    if (isNew) written.push({ name, members: keys.length });
  }
  return written;
}
