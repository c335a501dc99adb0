import { childKinds } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Resource } from '../model/resource.ts';

/** The kinds in a resource whose sections its `$exclusive` names. */
export const exclusiveKinds = ({ kind, meta: { exclusive } }: Resource, kinds: Kinds): Kind[] =>
  exclusive ? childKinds(kinds, kind).filter(({ section }) => exclusive.includes(section)) : [];
