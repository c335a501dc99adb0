/*
 * Replaces the secrets of what a plan observed by tokens.
 *
 * A plan only compares secrets, with each other and with keyed digests in the ledger. So it stays the same if each secret is replaced by
 * another text, equal ones by equal texts, and if the digests of the new texts are taken from a table that was made with the secrets.
 *
 *   secret    a text that the plan has sealed: a secret of the configuration, or a live value that must not be shown; also a stretch of a text that
 *             the plan shows as `(secret)`, because it is a part of a secret
 *   shown     a text that the plan shows, although the same text may be a secret at another place
 *   token     the text that replaces it. The empty text stays, because a plan treats an empty secret differently
 *   joined    a text that the configuration makes of a secret and other text, such as `Bearer ${secret.api}`. It is replaced by the same text
 *             with the token, because the configuration makes that one again
 *   place     the object and the member in which a text stands in an answer
 *   ordinary  a text that the configuration, the schemas of the kinds or the form of snapshots show, such as `production`
 *
 *   | place of the secret                     | replaced secrets                                                     |
 *   | --------------------------------------- | -------------------------------------------------------------------- |
 *   | at the place of a sealed value          | every secret                                                         |
 *   | at the place of a value that is shown   | nothing                                                              |
 *   | anywhere else, as a whole or in a text  | secrets of 8 and more characters in any spelling; those of 4 to 7 as |
 *   |                                         | a word; ordinary texts and shorter ones stay                         |
 */
import { randomBytes } from 'node:crypto';
import { escapeRegExp } from '../model/address.ts';
import type { LiveResource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { createSecretFinder, type SecretFinder } from '../model/secret-finder.ts';
import { mapTree, setOwn, visitMembers } from '../model/walk.ts';

/** Secrets of this length and longer are replaced inside of other texts, too. */
const shortestDistinct = 8;
/** Secrets of this length are replaced where they are words of their own. Shorter ones could be anything. */
const shortestWord = 4;

const tokenPattern = /snapshot-secret-\d+-[0-9a-f]{12}/;
const tokensPattern = new RegExp(`(?:${tokenPattern.source})+`, 'g');

/** True if a text contains a token. A plan from a snapshot treats such a text like a secret. */
export const holdsToken = (text: string): boolean => tokenPattern.test(text);

/** Returns the pattern of the texts that are equal to a text with tokens, apart from the secrets that these replace. */
export const toTokenPattern = (text: string): RegExp =>
  new RegExp(`^${text.split(tokenPattern).map(escapeRegExp).join('.+')}$`, 's');

/** Returns a text with `(secret)` instead of its tokens, as a plan with the account shows it. */
export const maskTokens = (text: string): string => text.replace(tokensPattern, '(secret)');

/** Gives tokens to secrets, and replaces the secrets by them. */
export class SecretTokens {
  readonly #tokens = new Map<string, string>([['', '']]);
  /** The texts with a secret in another form than the configuration makes of it, such as a name with a dot at its end. */
  readonly #joined = new Map<string, string>();
  readonly #sealedPlaces = new Map<string, Set<string>>();
  readonly #shownPlaces = new Map<string, Set<string>>();
  readonly #ordinaryWords: Set<string>;
  readonly #isSecretOfRun: SecretFinder;
  #finder: SecretFinder = () => false;
  #replaced: string[] = [];

  /**
   * `isSecretOfRun`: finds also secrets that have no token, such as the token of the account. A text with one of these is replaced as a
   * whole.
   */
  constructor(ordinaryWords: Iterable<string>, isSecretOfRun: SecretFinder = () => false) {
    this.#ordinaryWords = new Set(ordinaryWords);
    this.#isSecretOfRun = isSecretOfRun;
  }

  /** Counts further texts as ordinary, such as endpoints. */
  keepWords(words: Iterable<string>): void {
    for (const word of words) this.#ordinaryWords.add(word);
  }

  /**
   * Returns the token of a secret (a random text that stands for it in a snapshot), and makes one if it has none yet. Equal secrets have
   * the same token, so that comparisons of the plan have the same results.
   */
  register(secret: string): string {
    const earlierToken = this.#tokens.get(secret);
    if (earlierToken !== undefined) return earlierToken;
    const token =
      this.#joinedToken(secret) ?? `snapshot-secret-${this.#tokens.size}-${randomBytes(6).toString('hex')}`;
    this.#tokens.set(secret, token);
    return token;
  }

  /**
   * Sets the replacement of a joined text (one that the configuration makes of a secret and other text, such as `Bearer ${secret.api}`):
   * the same text with the secret's token (a random text that stands for it). The configuration makes this text when a plan from the
   * snapshot reads it. A long joined text is also found with a character or two around it (`#joinedToken`).
   */
  assign(joined: string, replacement: string): void {
    if (joined === replacement) return;
    this.#tokens.set(joined, replacement);
    if (joined.length >= shortestDistinct) this.#joined.set(joined, replacement);
  }

  /**
   * Gives tokens to the sealed values (possible secrets) of a live object, and remembers at which object and member each text stands,
   * sealed or shown. `shownTexts`: the sealed values that the plan shows nevertheless, which need no token.
   */
  addObject({ ids, fields, rows = [] }: LiveResource, shownTexts: ReadonlySet<string>): void {
    const visit = (value: unknown, name: string): void => {
      if (value instanceof Sealed || typeof value === 'string') {
        const text = value instanceof Sealed ? value.reveal() : value;
        const isShown = typeof value === 'string' || shownTexts.has(text);
        if (!isShown) this.register(text);
        const allPlaces = isShown ? this.#shownPlaces : this.#sealedPlaces;
        const places = allPlaces.get(text) ?? new Set();
        for (const id of ids) places.add(`${id} ${name}`);
        allPlaces.set(text, places);
      } else if (Array.isArray(value)) for (const item of value) visit(item, name);
      else if (typeof value === 'object' && value !== null)
        for (const [member, item] of Object.entries(value)) visit(item, member);
    };
    for (const objectFields of [fields, ...rows.map((row) => row.fields)]) visit(objectFields, '');
  }

  /**
   * Returns the data of a snapshot in which every secret is replaced by its token (a random text that stands for it), in names of members
   * as well. Called once all tokens are assigned.
   */
  replaceIn(value: unknown): unknown {
    this.#replaced = this.distinctSecrets().sort((a, b) => b.length - a.length);
    this.#finder = createSecretFinder(this.#replaced.map((secret) => new Sealed(secret)));
    return this.#replace(value, '', '');
  }

  /** Returns JSON data that contains nothing but secrets and their parts, with tokens. */
  replaceEach(value: unknown): unknown {
    return mapTree(value, (part) => {
      if (typeof part === 'number') return this.#replaceNumber(part, '');
      return typeof part === 'string' ? this.replacementOf(part) : visitMembers;
    });
  }

  /**
   * Returns data with tokens (random texts that stand for secrets in a snapshot) for the values that are sealed in it. Other texts stay,
   * also those that are secrets at other places.
   */
  replaceSealed(value: unknown): unknown {
    return mapTree(value, (part) =>
      part instanceof Sealed ? this.replacementOf(part.reveal()) : visitMembers,
    );
  }

  /** Returns the token of a secret. Any other text stays. */
  replacementOf(text: string): string {
    return this.#tokens.get(text) ?? text;
  }

  /** True if a text is a secret at one place, and is shown at another one. */
  isShownSomewhere(text: string): boolean {
    return this.#shownPlaces.has(text) || this.#ordinaryWords.has(text);
  }

  /** True if a text is an ordinary one, so that it counts as a secret only in its own field. */
  isOrdinary(text: string): boolean {
    return this.#ordinaryWords.has(text);
  }

  /** True if the plan shows a text in a member of the object with an id. */
  isShownAt(text: string, id: string | undefined, member: string): boolean {
    return this.#shownPlaces.get(text)?.has(`${id} ${member}`) === true;
  }

  /** True if a text has a token. */
  hasToken(text: string): boolean {
    return this.#tokens.has(text);
  }

  /** True if a text holds a secret that may stand nowhere in a snapshot. Called after `replaceIn`. */
  holdsSecret(text: string): boolean {
    return this.#finder(text) || this.#isSecretOfRun(text);
  }

  /**
   * Returns the secrets that are long and unusual enough to be recognized in any text. A snapshot must not contain them anywhere. Skips
   * secrets whose token equals the secret, such as the empty text.
   */
  distinctSecrets(): string[] {
    return [...this.#tokens]
      .filter(
        ([secret, token]) =>
          secret !== token && secret.length >= shortestWord && !this.#ordinaryWords.has(secret),
      )
      .map(([secret]) => secret);
  }

  /**
   * Returns a text of an answer for a snapshot with its replacement, if it is a secret that the configuration has joined with other text,
   * such as `Bearer ${secret.api}`, with at most two more characters around it, such as quotes; undefined for any other text. Used as the
   * token of such a text, because answers of the platform have them.
   */
  #joinedToken(text: string): string | undefined {
    for (const [joined, replacement] of this.#joined)
      if (text.length - joined.length <= 2 && text.includes(joined))
        return text.replace(joined, () => replacement);
    return undefined;
  }

  /**
   * Returns a value of an answer for a snapshot, with the secrets in it replaced by tokens (random texts that stand for them), at any
   * depth. `id` and `name`: the object and the member in which the value stands, because the same text may be no secret at another place.
   */
  #replace(value: unknown, id: string, name: string): unknown {
    if (typeof value === 'string') return this.#replaceText(value, `${id} ${name}`);
    if (typeof value === 'number') return this.#replaceNumber(value, `${id} ${name}`);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#replace(item, id, name));
    const ownId = (value as { id?: unknown }).id;
    const members: Record<string, unknown> = {};
    for (const [member, item] of Object.entries(value))
      setOwn(
        members,
        this.#replaceText(member, ''),
        this.#replace(item, typeof ownId === 'string' ? ownId : id, member),
      );
    return members;
  }

  /**
   * Returns the token of a number in an answer for a snapshot if it is a secret: where the plan hides it, or anywhere if it has eight and
   * more digits. Any other number stays, because code reads it and short numbers are equal by chance. `place`: see `#replaceText`.
   */
  #replaceNumber(number: number, place: string): number | string {
    const text = String(number);
    const isHiddenHere = this.#sealedPlaces.get(text)?.has(place) === true;
    if (!isHiddenHere && (text.length < shortestDistinct || this.#ordinaryWords.has(text))) return number;
    return this.#tokens.get(text) ?? number;
  }

  /**
   * Returns a text of an answer for a snapshot, with tokens (random texts that stand for secrets) instead of the secrets in it. `place`:
   * the object and the member with the text. At a place where the plan shows the text, it stays; where the plan hides it, it gets its
   * token. Anywhere else, ordinary words such as `production` stay, secrets of four and more characters are replaced as a whole text or a
   * word, and those of eight and more also within words. A text with a secret in another spelling, such as base64, gets a token of its own.
   */
  #replaceText(text: string, place: string): string {
    const token = this.#tokens.get(text);
    const isHiddenHere = this.#sealedPlaces.get(text)?.has(place) === true;
    // Before `isHiddenHere`: several objects may share a row, such as a variable in two targets, and the plan may show the text of one.
    if (this.#shownPlaces.get(text)?.has(place)) return text;
    if (token !== undefined && isHiddenHere) return token;
    if (this.#ordinaryWords.has(text)) return text;
    if (token !== undefined && text.length >= shortestWord) return token;
    if (!this.holdsSecret(text)) return text;
    const replaced = this.#replaced.reduce(
      (changed, secret) =>
        secret.length >= shortestDistinct
          ? changed.replaceAll(secret, () => this.#tokens.get(secret)!)
          : replaceWord(changed, secret, this.#tokens.get(secret)!),
      text,
    );
    return this.holdsSecret(replaced) ? this.register(text) : replaced;
  }
}

/**
 * Replaces a secret in a text of a snapshot by its token where it is a word of its own: between other characters than letters, digits and
 * underscores. For short secrets, which longer words contain by chance.
 */
function replaceWord(text: string, word: string, replacement: string): string {
  return text.replace(
    new RegExp(`(?<![\\p{L}\\p{N}_])${escapeRegExp(word)}(?![\\p{L}\\p{N}_])`, 'gu'),
    () => replacement,
  );
}
