import type { Kind, Kinds } from '../kind/kind.ts';
import { referenceOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { keyWords, orderWords, type Removal, removalOf, replacementWords } from './behaviour.ts';
import { type FieldManual, fieldsOf } from './fields.ts';
import { type KindRequest, requestsOf } from './kind-requests.ts';
import { type MetaKey, metaKeysOf } from './meta-keys.ts';
import { addressForm, blockPath, formWords, sectionPath } from './place.ts';

/** The manual page of a kind, as data. */
export interface KindManual {
  name: string;
  doc: string;
  /** Its place in the YAML, and what may stand there. */
  path: string;
  form: string[];
  address: Address;
  key: string;
  fields: FieldManual[];
  removal: Removal;
  replacement: string;
  order: string[];
  metaKeys: MetaKey[];
  example?: string;
  /** The addresses that the example declares, of this kind only. */
  exampleAddresses: Address[];
  requests: KindRequest[];
  /** Kinds that have to do with it. */
  related: { kind: string; path: string; why: string }[];
}

/** Everything that there is to say of a kind, derived from its declaration. `exampleAddresses`: what its example declares of it. */
export function kindManual(kinds: Kinds, kind: Kind, exampleAddresses: Address[]): KindManual {
  return {
    name: kind.name,
    doc: kind.doc,
    path: blockPath(kinds, kind),
    form: formWords(kind),
    address: addressForm(kinds, kind),
    key: keyWords(kinds, kind),
    fields: fieldsOf(kind),
    removal: removalOf(kinds, kind),
    replacement: replacementWords(kind),
    order: orderWords(kinds, kind),
    metaKeys: metaKeysOf(kinds, kind),
    ...(kind.example === undefined ? {} : { example: `${kind.example.trim()}\n` }),
    exampleAddresses,
    requests: requestsOf(kind),
    related: relatedTo(kinds, kind),
  };
}

function relatedTo(kinds: Kinds, kind: Kind): KindManual['related'] {
  const refersTo = (from: Kind, to: Kind) =>
    Object.values(from.fields).some((schema) => referenceOf(schema) === to.name);
  return [...kinds.values()]
    .filter((other) => other !== kind)
    .flatMap((other) => {
      const reasons = [
        ...(other.name === kind.parent ? ['it stands in one'] : []),
        ...(other.parent === kind.name ? ['stands in it'] : []),
        ...(refersTo(kind, other) ? ['it refers to one'] : []),
        ...(refersTo(other, kind) ? ['refers to it'] : []),
        ...(other.section === kind.section ? ['a section of the same name'] : []),
      ];
      return reasons.length > 0
        ? [{ kind: other.name, path: sectionPath(kinds, other), why: reasons.join(', ') }]
        : [];
    });
}
