import { namesOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { escapeName } from '../model/address.ts';
import type { Value } from '../model/value.ts';

/** The names in the address that a key in the YAML leads to, in the kind's normal form. */
export function keyNames(kind: Kind, text: string): string[] {
  if (kind.shape.byAddress) return [escapeName(text)];
  const field = kind.yaml.mapBy ?? kind.key[0];
  const normal = field === undefined ? undefined : kind.fields[field]?.safeParse(text);
  const value = (normal?.success ? normal.data : text) as Value;
  try {
    return field === undefined ? [] : namesOf(kind, { [field]: value });
  } catch {
    return [escapeName(text)];
  }
}
