import { declaredExisting, needsConsent } from '../kind/disclosure.ts';
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { referenceTarget } from '../model/reference-origins.ts';
import type { Desired, FieldReference } from '../model/resource.ts';
import type { Sources } from './sources/sources.ts';
import type { Asked } from './sources/verdict.ts';

/** The references to secrets. */
export const secretReferences = ({ references = [] }: Pick<Desired, 'references'>): FieldReference[] =>
  references.filter(({ source }) => source.secrecy !== 'open');

interface LiveSecrets {
  desired: Pick<Desired, 'references' | 'resources'>;
  writtenStack: string;
}

/**
 * Returns the addresses whose secrets may be copied although the stack does not own the object. Asks at the terminal only for secret fields of
 * objects with `$existing`: whether the stack owns any other object, and whether any other field holds a secret, the account and the ledger
 * tell. `folder`: a folder of the configuration.
 */
export async function allowedLive(
  { desired, writtenStack }: LiveSecrets,
  sources: Sources,
  folder: string,
): Promise<ReadonlySet<Address>> {
  const isSecret = ({ source }: FieldReference) => source.secrecy !== 'open';
  const references = (desired.references ?? []).filter(({ isLive }) => isLive);
  // Of an object with several references, one to a secret field decides.
  const ordered = [...references.filter((reference) => !isSecret(reference)), ...references.filter(isSecret)];
  const byAddress = new Map(ordered.map((reference) => [reference.source.address, reference]));
  const asked = [...byAddress].map(([address, reference]): Asked => {
    const { at } = reference.target;
    const isAsked = isSecret(reference) && desired.resources.get(address)?.meta.existing === true;
    return {
      use: 'secret',
      name: referenceTarget(reference),
      origin: { live: address },
      folder,
      at,
      ...(isAsked ? {} : { isQuiet: true }),
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
