import { namesOf } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, escapeName } from '../../model/address.ts';
import type { Diagnostic, Position } from '../../model/diagnostic.ts';
import type { FieldReference, Resource } from '../../model/resource.ts';
import type { Fields, Value } from '../../model/value.ts';
import type { Entry, ScalarNode } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { Section } from './section-entries.ts';

/** One entry of a section: a block of fields, `$` keys and child sections, before it is understood. */
export interface Block {
  kind: Kind;
  parent: Block | undefined;
  /** Its address; for a kind with rows, or one whose name is wrong, one that only its children and messages use. */
  address: Address;
  /** The key in the YAML map. */
  key?: ScalarNode;
  /** The key of the block, or the beginning of the list item. */
  at: Spot;
  position: Position;
  fieldEntries: Entry[];
  settingEntries: Entry[];
  sections: Section[];
  /** It could not be made out, which was reported. */
  isInvalid?: true;
  index: number;
  /** The object whose `$secretTo` declares it. */
  secretOf?: Address;
}

/** A block that is understood: its resources, and what was found on the way. */
export interface ReadBlock {
  block: Block;
  fields: Fields;
  units: Resource[];
  diagnostics: Diagnostic[];
  /** Other resources that it mentions, for the order and the check that they exist. */
  links: Link[];
  /** The fields of its units that take secret or live values from fields of other resources. */
  references: FieldReference[];
  /** Some values are other resources' fields, which were not looked up yet. */
  needsSecondReading: boolean;
}

export interface Link {
  to: Address;
  kind: string;
  at: Position;
  /** `soft`: fine if nothing of that name is declared. */
  type: 'ref' | 'named' | 'soft';
}

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
