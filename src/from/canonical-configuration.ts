import { load } from '../config/load.ts';
import type { Kinds } from '../kind/kind.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import { byKey } from '../model/graph.ts';

/** The kinds and the folder with which a configuration is loaded. */
interface LoadContext {
  kinds: Kinds;
  cwd: string;
}

/**
 * Returns a text that is equal for configurations with the same meaning; undefined for one with errors.
 * `trueup from terraform` folds similar blocks into one with `$each`, and checks by this text that nothing
 * else has changed. Indexes are reduced to positions in lists whose order matters.
 */
export async function toCanonicalConfiguration(
  text: string,
  { kinds, cwd }: LoadContext,
): Promise<string | undefined> {
  const { desired, diagnostics } = await load({ kinds, cwd, env: {}, text });
  if (hasErrors(diagnostics)) return undefined;
  const listLengths = new Map<string, number>();
  const resources = [...desired.resources.values()]
    .sort((a, b) => a.index - b.index)
    .map(({ address, kind, parent, fields, meta }) => {
      const list = `${kind} ${parent ?? ''}`;
      const position = listLengths.get(list) ?? 0;
      listLengths.set(list, position + 1);
      const { orderDecides } = kinds.get(kind)!.shape;
      return [
        address,
        { kind, parent: parent ?? null, fields, meta, place: orderDecides ? position : undefined },
      ] as const;
    })
    .sort(byKey);
  return canonicalJson(resources);
}
