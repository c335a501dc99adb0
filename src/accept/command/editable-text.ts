import { dirname } from 'node:path';
import type { ConfigurationText, WrittenConfiguration } from '../../config/configuration.ts';
import { openTracking } from '../../git/tracking.ts';
import type { Host } from '../../host.ts';
import { pathFrom } from '../../paths.ts';

/**
 * Returns the files and blocks of a configuration without the files of `--var-file` that git does not track: such a file differs from
 * machine to machine, so `trueup accept` does not write values into it.
 */
export async function readEditableText(
  configuration: WrittenConfiguration,
  { env }: Pick<Host, 'env'>,
): Promise<ConfigurationText> {
  const written = configuration.written();
  const tracking = openTracking(env);
  const isEditable = async ({ role, path }: ConfigurationText['files'][number]): Promise<boolean> => {
    if (role !== 'variables') return true;
    const workTree = await tracking.workTreeOf(dirname(path));
    if (workTree === undefined) return false;
    const name = pathFrom(workTree, path);
    return (await tracking.tracked(workTree, [name])).has(name);
  };
  const areEditable = await Promise.all(written.files.map(isEditable));
  return { ...written, files: written.files.filter((_, index) => areEditable[index]) };
}
