/**
 * Decides which secrets a configuration may read, and which references to secrets of other objects may be copied.
 *
 *   reference   a field whose value is copied from a field of another resource: `${project.web.token}`
 *   live        the value comes from an object of the account, so it may be a secret that the stack does not own
 *   consent     `--allow-live ADDRESS`, or a yes at the terminal: secrets of the object may be copied
 */

import { createMissingConsentProblem, declaredExisting, mayCopy } from '../kind/disclosure.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, shellWord, sortDiagnostics } from '../model/diagnostic.ts';
import {
  addressWithoutTarget,
  referenceOrigins,
  referenceSource,
  referenceTarget,
} from '../model/logical-changes.ts';
import type { Desired, FieldReference } from '../model/resource.ts';
import { familiesOf, familyMemberOf } from '../model/secret-families.ts';
import type { Configuration } from './configuration.ts';
import type { Sources } from './sources/sources.ts';
import { type Origin, originText, type SourceRequest, toRefusal } from './sources/verdict.ts';
import type { SecretSource } from './values/secret-source.ts';

/**
 * The secrets that a configuration declares, and the names of those to read: resources use them or, for
 * `trueup api` and `trueup run`, the command names them.
 */
export type DeclaredSecrets = Pick<Configuration, 'secrets' | 'usedSecrets' | 'writtenStack'>;

/**
 * Returns an error for each secret that some resource uses and that may not be read, with the flag that
 * allows it. Reads no secret: commands such as `validate` need no values.
 */
export async function judgeSecrets(declared: DeclaredSecrets, sources: Sources): Promise<Diagnostic[]> {
  const requests = secretRequestsOf(declared);
  const verdicts = await sources.judge(requests, declared.writtenStack);
  return sortDiagnostics(requests.flatMap((request, index) => toRefusal(request, verdicts[index]!) ?? []));
}

/**
 * Returns a request to read each declared secret in `usedSecrets`, sorted by name. The operator has to allow these requests. No other
 * secret is read, so a command needs permission only for those that it needs. `family`: for a secret with a key, such as `db[at]`, the used
 * secrets of the same declaration, because reports join them.
 */
export const secretRequestsOf = ({
  secrets,
  usedSecrets,
}: DeclaredSecrets): (SourceRequest & { origin: Origin })[] => {
  const families = familiesOf(usedSecrets);
  return [...usedSecrets].sort().flatMap((name): (SourceRequest & { origin: Origin })[] => {
    const source = secrets.get(name);
    if (!source) return [];
    const family = families.get(familyMemberOf(name)?.family ?? '');
    const { folder, at } = source;
    return [{ use: 'secret', name, origin: secretOriginOf(source), folder, at, family }];
  });
};

/**
 * Returns the declared sources of everything that a configuration uses, for the ledger, which records them:
 * `env DATABASE_URL` under the key `secret database`, and for a reference to a secret `field secret of
 * projects/web/protectionBypass/e2e` under `field value of projects/web/env/TOKEN`.
 */
export async function describeOrigins(
  { desired, secrets, usedSecrets, variableOrigins }: Configuration,
  sources: Sources,
): Promise<Map<string, string>> {
  const origins = new Map([...variableOrigins].map(([name, source]) => [`variable ${name}`, source]));
  for (const name of usedSecrets) {
    const source = secrets.get(name);
    if (!source) continue;
    const origin =
      'file' in source ? { file: await sources.nameOf(source.file, source.folder) } : secretOriginOf(source);
    origins.set(`secret ${name}`, originText(origin));
  }
  return new Map([...origins, ...referenceOrigins(secretReferences(desired))]);
}

/** Returns the origin of a secret without the place of its declaration. */
function secretOriginOf(source: SecretSource): Origin {
  if ('env' in source) return { env: source.env };
  return 'file' in source ? { file: source.file } : { command: source.command };
}

/**
 * Returns the references from one resource to another whose source is a secret or may be one. `validate` and `secrets` decide whether it
 * may be copied, and the ledger records where it came from.
 */
export const secretReferences = ({ references = [] }: Pick<Desired, 'references'>): FieldReference[] =>
  references.filter(({ source }) => source.secrecy !== 'open');

/** The parts of a configuration on which the decision depends. */
interface LiveSecrets {
  desired: Pick<Desired, 'references' | 'resources'>;
  writtenStack: string;
}

/**
 * Returns the addresses of objects from which secrets may be copied (by a reference such as `${...}`)
 * although the stack does not own them: those that the operator allowed. A person is asked only about secret
 * fields of objects with `$existing`; for all others the ledger or the account may show later that no
 * permission is needed. `folder`: a folder of the configuration, because answers are remembered by
 * repository.
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
    // For all others, the ledger or the account may show that the stack owns the object or that the value is no secret.
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

/** The decisions on references to secrets without the account. */
interface JudgedReferences {
  /** The errors for references that may never be copied. */
  refused: Diagnostic[];
  /** By the source of each other reference, why only a plan can decide on it: a plan reads the account. */
  undecided: ReadonlyMap<string, string>;
}

/**
 * Decides which references may copy the secret of another object, as far as that is possible without reading
 * the account, for `validate` and `secrets`. Copying a secret from an object that the stack does not own
 * needs a permission. In the result, `refused` has errors, and `undecided` has references that only a plan
 * can decide, with the reason; all others may be copied.
 */
export async function judgeSecretReferences(
  configuration: LiveSecrets,
  sources: Sources,
  folder: string,
): Promise<JudgedReferences> {
  const { desired } = configuration;
  const allowed = await findCopyableAddresses(configuration, sources, folder);
  // The consent to copy a secret does not cover a field that could show it.
  const isCovered = (reference: FieldReference) =>
    allowed.has(reference.source.address) && !mayBeTooOpen(reference);
  const unconsented = secretReferences(desired).filter(
    (reference) => reference.isLive && !isCovered(reference),
  );
  // An object with `$existing` is not owned by this stack. For others, only the ledger or the account shows the owner.
  const isExisting = ({ source }: FieldReference) =>
    desired.resources.get(source.address)?.meta.existing === true;
  // If the secrecy depends on a field that only the account has, the value may turn out to be no secret.
  const isRefused = (reference: FieldReference) =>
    isExisting(reference) && !reference.source.dependsOnMissingField;
  return {
    refused: unconsented
      .filter(isRefused)
      .map((reference) => createMissingConsentProblem(reference, declaredExisting)),
    undecided: new Map(
      unconsented
        .filter((reference) => !isRefused(reference))
        .map((reference) => [referenceSource(reference), reasonUndecided(reference, isExisting(reference))]),
    ),
  };
}

/**
 * Returns why only a plan can decide whether a reference may copy a value that may be a secret, for the
 * output of `validate` and `secrets`. `isExisting`: its object is declared with `$existing`, so this stack
 * does not own it.
 */
function reasonUndecided(reference: FieldReference, isExisting: boolean): string {
  const { source, target } = reference;
  const ifSecret = 'the plan checks whether it is a secret in the account; if so, it';
  if (mayBeTooOpen(reference))
    return `${ifSecret} cannot go to \`${target.field}\` of ${addressWithoutTarget(target.address)}`;
  if (isExisting) return `${ifSecret} needs --allow-live ${shellWord(source.address)}`;
  return 'the plan checks whether this stack owns the object';
}

/** True if only the account shows whether the source is more secret than the target field. The target could then show the secret. */
const mayBeTooOpen = ({ source, target }: FieldReference): boolean =>
  source.dependsOnMissingField && !mayCopy(source.secrecy, target.secrecy);
