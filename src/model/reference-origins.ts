import { groupBy } from './graph.ts';
import { addressWithoutTarget } from './logical-changes.ts';
import type { FieldReference } from './resource.ts';

/** Returns the name of the field that takes the secret of a reference, for the sources in the plan and the ledger. */
export const referenceTarget = ({ target }: Pick<FieldReference, 'target'>): string =>
  `field ${target.field} of ${addressWithoutTarget(target.address)}`;

/** Returns the name of the field that a reference copies a secret from, by which a plan notices that the source of a secret has changed. */
export const referenceSource = ({ source }: Pick<FieldReference, 'source'>): string =>
  `field ${source.field} of ${source.address}`;

/**
 * Returns where the secrets of fields that copy them come from: `field secret of projects/web/protectionBypass/e2e` by the name of the field. The
 * plan reports if such a source changed since the last apply.
 */
export const referenceOrigins = (references: Iterable<FieldReference>): Map<string, string> =>
  new Map(
    [...groupBy(references, referenceTarget)].map(([name, ofTarget]) => [
      name,
      [...new Set(ofTarget.map(referenceSource))].join(', '),
    ]),
  );
