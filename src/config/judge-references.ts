import { declaredExisting, needsConsent } from '../kind/disclosure.ts';
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Desired, FieldReference } from '../model/resource.ts';
import { wholeAddress } from '../model/wholes.ts';
import type { Sources } from './sources/sources.ts';
import type { Asked } from './sources/verdict.ts';

/** Name the two fields of a reference to a secret, for the plan and the ledger: the field that takes the value, and its source. */
export const referenceName = ({ target }: Pick<FieldReference, 'target'>): string =>
  `field ${target.field} of ${wholeAddress(target.address)}`;
export const referenceSource = ({ source }: Pick<FieldReference, 'source'>): string =>
  `field ${source.field} of ${source.address}`;

/** The references to secrets. */
export const secretReferences = ({ references = [] }: Pick<Desired, 'references'>): FieldReference[] =>
  references.filter(({ source }) => source.secrecy !== 'open');

interface LiveSecrets {
  desired: Pick<Desired, 'references' | 'resources'>;
  writtenStack: string;
}

/**
 * Returns the addresses whose secrets may be copied although the stack does not own the object. Asks at the terminal only for objects with
 * `$existing`: whether the stack owns any other object, the account and the ledger tell. `folder`: a folder of the configuration.
 */
export async function allowedLive(
  { desired, writtenStack }: LiveSecrets,
  sources: Sources,
  folder: string,
): Promise<ReadonlySet<Address>> {
  const references = secretReferences(desired).filter(({ isLive }) => isLive);
  const byAddress = new Map(references.map((reference) => [reference.source.address, reference]));
  const asked = [...byAddress].map(([address, reference]): Asked => {
    const { at } = reference.target;
    const isExisting = desired.resources.get(address)?.meta.existing === true;
    return {
      use: 'secret',
      name: referenceName(reference),
      origin: { live: address },
      folder,
      at,
      ...(isExisting ? {} : { isQuiet: true }),
    };
  });
  const verdicts = await sources.judge(asked, writtenStack);
  return new Set([...byAddress.keys()].filter((_, at) => verdicts[at]!.allowed));
}

/** Returns the errors for references to secrets of objects with `$existing` that may not be copied, as far as the configuration tells. */
export async function judgeReferences(
  configuration: LiveSecrets,
  sources: Sources,
  folder: string,
): Promise<Diagnostic[]> {
  const { desired } = configuration;
  const allowed = await allowedLive(configuration, sources, folder);
  return secretReferences(desired)
    .filter(({ source: { address, dependsOnMissingField }, isLive }) => {
      const isExisting = desired.resources.get(address)?.meta.existing === true;
      return isLive && isExisting && !dependsOnMissingField && !allowed.has(address);
    })
    .map((reference) => needsConsent(reference, declaredExisting));
}
