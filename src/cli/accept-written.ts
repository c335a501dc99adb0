import type { ChangedFile } from '../accept/accept.ts';
import { type NewOrder, reorder } from '../accept/order.ts';
import type { Configuration } from '../config/load.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Session } from './session.ts';

/** New texts, and the configuration that they are. */
export interface Written {
  files: ChangedFile[];
  configuration: Configuration;
}

/** Reads the configuration with these texts in place of those of the files. */
type Reload = (texts: ReadonlyMap<string, string>) => Promise<Configuration>;

/** The configuration of the new texts. Throws `Problems` where they cannot be read, or a list cannot be put in order. */
export async function writtenAnew(
  { kinds }: Session,
  files: ChangedFile[],
  orders: NewOrder[],
  reload: Reload,
): Promise<Written> {
  const first = { files, configuration: await read(files, reload) };
  if (orders.length === 0) return first;
  const { resources } = first.configuration.desired;
  const left = orders.map((one) => ({
    ...one,
    addresses: one.addresses.filter((address) => resources.has(address)),
  }));
  const { files: moved, refused } = reorder(left, first.configuration.written(), kinds);
  if (refused.length > 0)
    throw new Problems(
      refused.map(({ addresses }) => {
        const at = addresses.map((address) => {
          const { file, line } = resources.get(address)!.at;
          return `${address.slice(address.lastIndexOf('/') + 1)} (${file}:${line})`;
        });
        return problem(
          'accept/order',
          `the order of ${addresses[0]!.slice(0, addresses[0]!.lastIndexOf('/'))} cannot be written: its items come from places that have no order among themselves`,
          { hint: `edit it by hand so that the order is ${at.join(', ')}; nothing was written` },
        );
      }),
    );
  const all = new Map(files.map((file) => [file.path, file]));
  for (const file of moved)
    all.set(file.path, { ...file, before: all.get(file.path)?.before ?? file.before });
  return { files: [...all.values()], configuration: await read([...all.values()], reload) };
}

/** The configuration of these texts. Throws `Problems` where it has errors. */
async function read(files: ChangedFile[], reload: Reload): Promise<Configuration> {
  const configuration = await reload(new Map(files.map(({ path, after }) => [path, after])));
  const { diagnostics, notAllowed } = configuration;
  const wrong = [...diagnostics, ...notAllowed].filter(({ severity }) => severity === 'error');
  if (wrong.length > 0)
    throw unproven(wrong.map(({ message, at }) => `${message}${at ? ` (${at.file}:${at.line})` : ''}`));
  return configuration;
}

/** Nothing is written: the new texts do not say what they were to say. */
export const unproven = (wrong: string[]): Problems =>
  new Problems(
    wrong.map((message) =>
      problem('accept/unproven', message, {
        hint: 'nothing was written; accept something else, or edit it by hand',
      }),
    ),
  );
