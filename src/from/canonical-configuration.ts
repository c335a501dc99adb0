import { load } from '../config/load.ts';
import type { Kinds } from '../kind/kind.ts';
import { canonical } from '../model/canonical.ts';
import { byKey } from '../model/graph.ts';

interface LoadPlace {
  kinds: Kinds;
  cwd: string;
}

/** The meaning of a configuration, as text that is equal if it is the same; undefined if the configuration is wrong. */
export async function toCanonicalConfiguration(
  text: string,
  { kinds, cwd }: LoadPlace,
): Promise<string | undefined> {
  const { desired, diagnostics } = await load({ kinds, cwd, env: {}, text });
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const orders = new Map<string, number>();
  const resources = [...desired.resources.values()]
    .sort((a, b) => a.index - b.index)
    .map(({ address, kind, parent, fields, meta }) => {
      const list = `${kind} ${parent ?? ''}`;
      const order = orders.get(list) ?? 0;
      orders.set(list, order + 1);
      const isInOrder = kinds.get(kind)!.shape.orderDecides;
      return [
        address,
        { kind, parent: parent ?? null, fields, meta, place: isInOrder ? order : undefined },
      ] as const;
    })
    .sort(byKey);
  return canonical(resources);
}
