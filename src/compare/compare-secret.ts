/*
 * Compares secrets by their sources. A value is never compared: whether two secrets are equal would be a hint about both. So a pair of
 * secrets has one of three results:
 *
 *   same         both sides read it from the same place, with the same text around it
 *   different    they read it from different places, or the text around it differs
 *   unknown      a source is not in the configuration: the value is in an account, or comes from `--var` or the environment
 */

import { spotsIn } from '../config/yaml/nodes.ts';
import { isSameRange, type Spot } from '../config/yaml/source.ts';
import type { Address } from '../model/address.ts';
import { canonicalJson } from '../model/digest.ts';
import { Sealed, sealedIn } from '../model/sealed.ts';
import { isJoin, isSecretRef, mapHoles, type Value } from '../model/value.ts';
import { secretNames } from '../report/show.ts';
import { type ComparedObject, type ComparedSide, findFieldNodes, isSameText } from './compared-side.ts';

/** A secret field of a pair. */
export interface SecretComparison {
  path: string;
  result: 'same' | 'different' | 'unknown';
  /** True if both sides write the value alike, such as `${secret.db}`, although its source may differ. */
  isSameText: boolean;
  /** The sources in A and B, for people: `${secret.db} from env DB_STAGING`. */
  a: string;
  b: string;
}

/** A secret value of one side, with the object that has it. */
interface SideSecret {
  side: ComparedSide;
  object: ComparedObject;
  /** In A, references name the addresses of B, so that the values can be compared. */
  value: Value;
}

/**
 * Compares a secret field of an object that both sides of `trueup diff` have, for a line of the report. Compares only where the secrets
 * come from, because whether two values are equal would be a hint about both. `isSameText`: both sides write the same expression, such as
 * `${secret.db}`, so `--promote` has nothing to copy.
 */
export function compareSecret(path: string, a: SideSecret, b: SideSecret): SecretComparison {
  const isSameText =
    !holdsText(a.value) && !holdsText(b.value) && canonicalJson(a.value) === canonicalJson(b.value);
  return { path, result: compareSources(path, a, b), isSameText, a: describeSource(a), b: describeSource(b) };
}

/**
 * Returns whether a secret field has the same source on both sides of `trueup diff` (stages, commits, accounts), without looking at the
 * values. `unknown` if a side is an account, because an account does not show where a value came from, or if a text is not in the files of
 * the repository.
 */
function compareSources(path: string, a: SideSecret, b: SideSecret): SecretComparison['result'] {
  if (a.side.isLive || b.side.isLive) return 'unknown';
  const [formOfA, formOfB] = [sourceFormOf(a), sourceFormOf(b)];
  if (formOfA !== undefined && formOfB !== undefined) return formOfA === formOfB ? 'same' : 'different';
  // On one side at least, a secret is not one of `secrets:` but a text of the configuration. It is the same if both sides have it at the
  // same place of equal files.
  const [spotsOfA, spotsOfB] = [a, b].map(({ side, object }) => findFieldSpots(side, object.address, path));
  if (!spotsOfA || !spotsOfB) return 'unknown';
  const isSame =
    spotsOfA.length === spotsOfB.length &&
    spotsOfA.every(
      (spot, index) => isSameText(spot, spotsOfB[index]!) && isSameRange(spot, spotsOfB[index]!),
    );
  return isSame ? 'same' : 'different';
}

/**
 * Returns a text that is equal for two values if their secrets have the same sources, such as `env DB_PASSWORD`, and the same text around
 * them. With it, `trueup diff` compares the values of two sides without their secrets. Undefined if the value has a secret that does not
 * come from `secrets:`, because the text around that may be secret, too.
 */
function sourceFormOf({ side, value }: Pick<SideSecret, 'side' | 'value'>): string | undefined {
  let hasOtherSecret = false;
  const noteOtherSecret = (): null => {
    hasOtherSecret = true;
    return null;
  };
  const form = mapHoles(value, (hole) => {
    if (isSecretRef(hole)) {
      const source = side.secretSources.get(hole.$secret);
      return source ? { source: source.id } : noteOtherSecret();
    }
    if (isJoin(hole))
      return hole.$join.map((piece) => sourceFormOf({ side, value: piece }) ?? noteOtherSecret());
    return hole instanceof Sealed ? noteOtherSecret() : hole;
  });
  return hasOtherSecret ? undefined : canonicalJson(form);
}

/** True if a value holds a secret text, not only references to secrets. */
const holdsText = (value: Value): boolean => sealedIn(value).length > 0;

/**
 * Returns the parts of files that state a field of an object; undefined if a part of its text is in no file of the repository. If they are
 * equal on both sides of `trueup diff`, so is the secret in them.
 */
function findFieldSpots(side: ComparedSide, address: Address, path: string): Spot[] | undefined {
  const spots = findFieldNodes(side, address, path).flatMap(spotsIn);
  const isInRepository = spots.every(({ source }) => source.file !== '' && !source.isOutside);
  return spots.length > 0 && isInRepository ? spots : undefined;
}

/** Describes for `trueup diff` where a secret comes from, such as `${secret.db} from env DB_STAGING`, without any part of its value. */
function describeSource({ side, value }: SideSecret): string {
  if (side.isLive) return 'the account';
  const sources = secretNames(value).map((name) => {
    // From `${secret.db}` the name `db`.
    const source = side.secretSources.get(/^\$\{secret\.(.*)\}$/s.exec(name)?.[1] ?? '');
    return source === undefined ? name : `${name} from ${source.text}`;
  });
  return sources.length > 0 ? sources.join(', ') : 'a text in the configuration';
}
