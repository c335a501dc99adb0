import { declaredExisting, mayCopy, reportMissingConsent } from '../kind/disclosure.ts';
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { referenceSource, referenceTarget } from '../model/reference-origins.ts';
import type { Desired, FieldReference } from '../model/resource.ts';
import { shellWord } from '../model/shell-word.ts';
import type { Sources } from './sources/sources.ts';
import type { SourceRequest } from './sources/verdict.ts';

/** Returns the references whose source is a secret. */
export const secretReferences = ({ references = [] }: Pick<Desired, 'references'>): FieldReference[] =>
  references.filter(({ source }) => source.secrecy !== 'open');

/** The part of a configuration that decides about references to secrets. */
interface LiveSecrets {
  desired: Pick<Desired, 'references' | 'resources'>;
  writtenStack: string;
}

/**
 * Returns the addresses whose secrets may be copied although the stack does not own the object. Asks at the terminal only about secret
 * fields of objects with `$existing`. For other objects, the ledger shows whether the stack owns them, and for other fields, the account
 * shows whether they are secret. `folder`: a folder of the configuration.
 */
export async function findCopyableAddresses(
  { desired, writtenStack }: LiveSecrets,
  sources: Sources,
  folder: string,
): Promise<ReadonlySet<Address>> {
  const isSecret = ({ source }: FieldReference) => source.secrecy !== 'open';
  const references = (desired.references ?? []).filter(({ isLive }) => isLive);
  // If an object has several references, one to a secret field decides, so it comes last and replaces the others.
  const ordered = [...references.filter((reference) => !isSecret(reference)), ...references.filter(isSecret)];
  const byAddress = new Map(ordered.map((reference) => [reference.source.address, reference]));
  const requests = [...byAddress].map(([address, reference]): SourceRequest => {
    const { at } = reference.target;
    const needsAnswer = isSecret(reference) && desired.resources.get(address)?.meta.existing === true;
    return {
      use: 'secret',
      name: referenceTarget(reference),
      origin: { live: address },
      folder,
      at,
      skipsPrompt: needsAnswer ? undefined : true,
    };
  });
  const verdicts = await sources.judge(requests, writtenStack);
  return new Set([...byAddress.keys()].filter((_, index) => verdicts[index]!.allowed));
}

/** The references to secrets, judged before the account is read. */
interface JudgedReferences {
  /** The errors for references that may not be copied, whatever the account contains. */
  refused: Diagnostic[];
  /** The reasons why only a plan can decide, by source. */
  undecided: ReadonlyMap<string, string>;
}

/** Judges references to secrets without reading the account: refused, or undecided with a reason. */
export async function judgeSecretReferences(
  configuration: LiveSecrets,
  sources: Sources,
  folder: string,
): Promise<JudgedReferences> {
  const { desired } = configuration;
  const allowed = await findCopyableAddresses(configuration, sources, folder);
  const unconsented = secretReferences(desired).filter(
    (reference) => reference.isLive && (!allowed.has(reference.source.address) || mayBeTooOpen(reference)),
  );
  const isExisting = ({ source }: FieldReference) =>
    desired.resources.get(source.address)?.meta.existing === true;
  const isRefused = (reference: FieldReference) =>
    isExisting(reference) && !reference.source.dependsOnMissingField;
  const reasonUndecided = (reference: FieldReference) => {
    const { source, target } = reference;
    const isSecret = 'the plan checks whether it is a secret in the account; if so, it';
    if (mayBeTooOpen(reference))
      return `${isSecret} cannot go to \`${target.field}\` of ${addressWithoutTarget(target.address)}`;
    if (isExisting(reference)) return `${isSecret} needs --allow-live ${shellWord(source.address)}`;
    return 'the plan checks whether this stack owns the object';
  };
  return {
    refused: unconsented
      .filter(isRefused)
      .map((reference) => reportMissingConsent(reference, declaredExisting)),
    undecided: new Map(
      unconsented
        .filter((reference) => !isRefused(reference))
        .map((reference) => [referenceSource(reference), reasonUndecided(reference)]),
    ),
  };
}

/** True if the account decides whether the source is too secret for the target. */
const mayBeTooOpen = ({ source, target }: FieldReference): boolean =>
  source.dependsOnMissingField && !mayCopy(source.secrecy, target.secrecy);

/** Returns the errors for references to secrets of objects with `$existing` that may not be copied, as far as the configuration tells. */
export async function judgeReferences(
  configuration: LiveSecrets,
  sources: Sources,
  folder: string,
): Promise<Diagnostic[]> {
  return (await judgeSecretReferences(configuration, sources, folder)).refused;
}
