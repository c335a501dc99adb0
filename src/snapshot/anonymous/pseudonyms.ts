/*
 * Pseudonyms for the texts of an account and of a configuration.
 *
 *   segment  a stretch of letters, digits, `-` and `_`: `create-react-app`, `NEXT_PUBLIC_API_URL`. It stays if it is a word of the platform
 *   run      a stretch of letters and digits in a segment: `NEXT`, `PUBLIC`, `API`, `URL`. Equal runs have equal pseudonyms
 *
 * All other characters stay, so that domains, e-mail addresses, URLs, paths, globs and addresses of objects keep their structure:
 * `projects/shop/domains/www.acme.co.uk` becomes `projects/xa1/domains/www.xa2.co.uk`. Pseudonyms are numbered in the order of their first
 * use, so nothing about a text follows from its pseudonym, and no dictionary finds it.
 */
import type { Sealed } from '../../model/sealed.ts';
import { createSecretFinder, type SecretFinder } from '../../model/secret-finder.ts';
import { prefixWords } from './words.ts';

/** Texts that stay, wherever they are: tokens of secrets, times, and the parts of regular expressions that name no text. */
const keptPattern =
  /snapshot-secret-\d+-[0-9a-f]{12}|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\\[a-zA-Z]\b|\[\^?(?:[a-zA-Z0-9]-[a-zA-Z0-9]|[^a-zA-Z0-9\]])+\]/;
const ipv4Pattern = /(?<![\d.\w-])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\w)/;
const ipv6Pattern = /(?<![\w:])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:])/;
/**
 * Bytes of a URL. They can spell any name, and in most languages every letter of a path is written so. A URL in another one has its own
 * escapes escaped again: `%2541` is `%41`, which is `A`.
 */
const escapesPattern = /(?:%(?:25)*[0-9A-Fa-f]{2})+/;
const segmentPattern = /[$\p{L}\p{N}\p{M}_-]+/u;
const atomPattern = new RegExp(
  [keptPattern, escapesPattern, ipv4Pattern, ipv6Pattern, segmentPattern]
    .map(({ source }) => `(${source})`)
    .join('|'),
  'gu',
);
const runPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** A glob or a regular expression that fits a part of a word, such as `web*` or `ap.+`. */
const partialPattern = /[\p{L}\p{N}]{2}\*|(?<!\*)\*[\p{L}\p{N}]|\w\.[*+]|\(\?[:=!]|\\[dws]/u;

/** Prefixes of variable names that decide whether a value is public, and the prefixes of ids. */
const keptPrefix =
  /^(?:NEXT_PUBLIC_|VITE_|REACT_APP_|NUXT_PUBLIC_|NUXT_ENV_|PUBLIC_|GATSBY_|EXPO_PUBLIC_|VUE_APP_|STORYBOOK_|SANITY_STUDIO_|(?:prj|team|dpl|env|ecfg|icfg|rec|cst|hook|store|drn|oauth|ruleset|acc|usr|flag|seg)_(?=[A-Za-z0-9]{10,}$))/;

/** Endings of domain names that are no name of anybody. */
const suffixes =
  'com|org|net|io|dev|app|co|ai|me|info|biz|xyz|cloud|tech|site|online|store|shop|test|example|invalid|local|internal|[a-z]{2}';
const hostSuffix = new RegExp(
  `(?<=[\\p{L}\\p{N}]\\.)(?:(?:co|com|org|net|ac|gov|edu)\\.[a-z]{2}|${suffixes})$`,
  'iu',
);
/** The hosts of the platform itself, and its addresses: decisions depend on them. */
const platformHost =
  /(?:^|\.)(?:vercel\.app|(?:(?:ns\d|cname(?:-china)?)\.)?vercel-dns(?:-\d+)?\.com|vercel\.com|now\.sh|zeit\.world|alias\.zeit\.co)$/i;
const hostNamePattern = /(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}_*-]+\.)+[\p{L}]{2,}(?![\p{L}\p{N}_-])/gu;
const keptAddresses = new Set(['0.0.0.0', '127.0.0.1', '76.76.21.21', '255.255.255.255', '::', '::1']);
const documentationNetworks = ['192.0.2', '198.51.100', '203.0.113'];

/** A shorter secret could be anything, such as a port. */
const shortestHiddenSecret = 4;

/** Makes the pseudonyms of one snapshot. */
export class Pseudonyms {
  readonly #words: ReadonlySet<string>;
  /** The numbers in the pseudonyms of runs, such as 12 in `xa12`. */
  readonly #runs = new Map<string, number>();
  /** The pseudonyms of IP addresses. */
  readonly #addresses = new Map<string, string>();
  /** The pseudonyms of runs of digits. */
  readonly #numbers = new Map<string, string>();
  /** The pseudonyms of whole texts so far. */
  readonly #texts = new Map<string, string>();
  #patternCount = 0;
  readonly #secrets: Sealed[] = [];
  #holdsSecret: SecretFinder = () => false;
  /** The short runs of digits that do not stay, because they are part of a secret or a port. */
  readonly #secretNumbers = new Set<string>();

  /** Starts without pseudonyms. `words`: the words of the platform and of trueup, which stay in an anonymous snapshot. */
  constructor(words: ReadonlySet<string>) {
    this.#words = words;
  }

  /**
   * From now on, each text that holds one of these secrets gets a single pseudonym as a whole, because the usual pseudonym of a text keeps
   * words of the platform and short numbers in it. Called before the first pseudonym of an anonymous snapshot.
   */
  hideSecrets(secrets: readonly Sealed[]): void {
    if (secrets.length === 0) return;
    this.#secrets.push(...secrets);
    this.#holdsSecret = createSecretFinder(this.#secrets);
    this.#texts.clear();
  }

  /**
   * From now on, the short numbers (up to 5 digits) in these secrets get pseudonyms, too, wherever they stand. Applies only to secrets that
   * consist of nothing but such numbers, single characters and signs (`12-34-56`), since other secrets are hidden by the pseudonyms of
   * their other runs (stretches of letters and digits). Single digits and all other short numbers stay as they are.
   */
  hideShortNumbers(secrets: Iterable<Sealed>): void {
    for (const secret of secrets) {
      const text = secret.reveal();
      if (text.length < shortestHiddenSecret) continue;
      const runs = text.match(runPattern) ?? [];
      if (!runs.every(isKeptRun)) continue;
      for (const run of runs) if (run.length > 1) this.#secretNumbers.add(run);
    }
    // A text that was renamed before may have such a number.
    this.#texts.clear();
  }

  /**
   * From now on, replaces the port of this URL, such as that of the platform's API behind a proxy, wherever the number stands in the
   * anonymous snapshot. Without this, a number of up to 5 digits, as ports have, would stay. Called for each stack, but all stacks of a
   * command are at the same URL, so one pseudonym is enough.
   */
  hidePort(url: string): void {
    const { port } = new URL(url);
    if (port === '' || this.#numbers.has(port)) return;
    this.#secretNumbers.add(port);
    // The usual pseudonym of a number begins with 9, so one of 5 digits would be too large for a port.
    this.#numbers.set(port, port === '50001' ? '50002' : '50001');
    this.#texts.clear();
  }

  /**
   * Returns a text for an anonymous snapshot: with pseudonyms for everything in it that is no word of the platform or of trueup. Equal
   * texts get equal pseudonyms, so that a plan from the snapshot finds the same differences. A text with a secret from `hideSecrets` gets
   * one pseudonym as a whole.
   */
  rename(text: string): string {
    const earlier = this.#texts.get(text);
    if (earlier !== undefined) return earlier;
    let renamed: string;
    if (this.#holdsSecret(text)) renamed = `hidden-secret-${this.#numberOf(text)}`;
    else renamed = this.#words.has(text) ? text : this.#renameParts(text);
    this.#texts.set(text, renamed);
    return renamed;
  }

  /** The number of texts that look like a pattern for a part of a word. Their pseudonyms may match other texts than they do. */
  get patternCount(): number {
    return this.#patternCount;
  }

  /** Returns a pseudonym for a whole sentence, such as a message. */
  renameSentence(sentence: string): string {
    return `text ${this.#numberOf(sentence)}`;
  }

  /** Returns a stable number for a number that identifies something, such as a repository. */
  renameNumber(number: number): number {
    return Number(this.#renameDigits(String(number)));
  }

  /**
   * Returns a text with pseudonyms for its parts, so that domains, paths, globs and addresses keep their structure in an anonymous
   * snapshot. Spaces make a text prose, except in an endpoint such as `GET /v9/projects/{id}`. In prose, the words of the platform get
   * pseudonyms, too, but not a first word that trueup writes before a name, such as `secret`. Counts texts that look like a pattern.
   */
  #renameParts(text: string): string {
    const [firstWord] = text.split(' ', 1);
    const isProse = /\s/.test(text) && !/^[A-Z]+ \/v\d+\/[\w/{}.?=&-]+$/.test(text);
    if (isProse && prefixWords.has(firstWord!))
      return `${firstWord} ${this.rename(text.slice(firstWord!.length + 1))}`;
    // An address with spaces, such as `projects/web/firewall/rules/first rule`: its sections stay, and its names are renamed as they are
    // alone.
    const [section, ...names] = text.split('/');
    if (isProse && names.length > 0 && !/\s/.test(section!) && this.#words.has(section!))
      return [section, ...names.map((name) => this.rename(name))].join('/');
    if (partialPattern.test(text)) this.#patternCount++;
    const keptRanges = rangesOfSuffixes(text);
    return text.replace(atomPattern, (atom, kept, escapes, ipv4, ipv6, _segment, index: number) => {
      if (kept !== undefined) return kept;
      if (escapes !== undefined) return this.#renameEscapes(escapes);
      if (ipv4 !== undefined) return this.#renameIp(ipv4, 4);
      if (ipv6 !== undefined) return this.#renameIp(ipv6, 6);
      if (keptRanges.some(([start, end]) => index >= start && index + atom.length <= end)) return atom;
      return this.#renameSegment(atom, isProse);
    });
  }

  /**
   * Returns escaped bytes of a URL, such as `%2F` or `%C3%A4`, for an anonymous snapshot: as they are if they spell only signs such as a
   * slash, otherwise with pseudonyms for the letters and digits that they spell. Bytes that are not UTF-8 get a pseudonym.
   */
  #renameEscapes(escapes: string): string {
    const spelled = readEscapedText(escapes);
    if (spelled === undefined) return `xa${this.#numberOf(escapes.toLowerCase())}`;
    return /[\p{L}\p{N}\p{M}]/u.test(spelled.text)
      ? spelled.escapeAgain(
          spelled.text.replace(runPattern, (run) => `xa${this.#numberOf(run.toLowerCase())}`),
        )
      : escapes;
  }

  /**
   * Returns the pseudonym of a segment (letters, digits, `-` and `_`) of a text, such as `NEXT_PUBLIC_XA1_XA2` for `NEXT_PUBLIC_SHOP_URL`:
   * with a pseudonym for each run (stretch of letters and digits). A prefix with a meaning stays, and so does a whole segment that is a
   * word of the platform, except in a sentence (`isProse`).
   */
  #renameSegment(segment: string, isProse: boolean): string {
    if (!isProse && this.#words.has(segment)) return segment;
    const prefix = keptPrefix.exec(segment)?.[0] ?? '';
    const wordsAfterPrefix = segment.slice(prefix.length);
    return `${prefix}${wordsAfterPrefix.replace(runPattern, (run) => this.#renameRun(run))}`;
  }

  /**
   * Returns the pseudonym of a stretch of letters and digits, such as `xa12`, in lower or upper case or capitalized as the stretch is:
   * `SHOP`, `shop` and `Shop` become `XA1`, `xa1` and `Xa1`. A stretch in mixed case gets a number of its own. A single character stays.
   */
  #renameRun(run: string): string {
    if (run.length === 1) return run;
    if (/^\d+$/.test(run)) return this.#renameDigits(run);
    const lower = run.toLowerCase();
    if (run === lower) return `xa${this.#numberOf(lower)}`;
    if (run === run.toUpperCase()) return `XA${this.#numberOf(lower)}`;
    const capitalized = lower.charAt(0).toUpperCase() + lower.slice(1);
    return run === capitalized ? `Xa${this.#numberOf(lower)}` : `xa${this.#numberOf(run)}`;
  }

  /**
   * Returns the number in the pseudonym of a stretch of letters and digits, such as 12 in `xa12`. A new stretch gets the next number; an
   * earlier one keeps its number, so that equal names stay equal.
   */
  #numberOf(run: string): number {
    const number = this.#runs.get(run) ?? this.#runs.size + 1;
    this.#runs.set(run, number);
    return number;
  }

  /**
   * Returns a pseudonym for a number in a text of an anonymous snapshot; short numbers stay, unless they are a secret. Equal numbers have
   * equal pseudonyms.
   */
  #renameDigits(digits: string): string {
    if (isKeptRun(digits) && !this.#secretNumbers.has(digits)) return digits;
    const earlier = this.#numbers.get(digits);
    const renamed = earlier ?? `9${String(this.#numbers.size + 1).padStart(digits.length - 1, '0')}`;
    this.#numbers.set(digits, renamed);
    return renamed;
  }

  /**
   * Returns a pseudonym for an IP address: one of a network that is reserved for documentation or tests, a new one for each address as long
   * as there are enough. Addresses of the platform itself and special ones such as `127.0.0.1` stay.
   */
  #renameIp(address: string, version: 4 | 6): string {
    if (keptAddresses.has(address)) return address;
    const earlier = this.#addresses.get(address);
    if (earlier !== undefined) return earlier;
    const number = this.#addresses.size + 1;
    const network = documentationNetworks[Math.floor(number / 255)];
    const renamedIpv4 = network
      ? `${network}.${(number % 255) + 1}`
      : `198.18.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;
    const renamed = version === 6 ? `2001:db8::${number.toString(16)}` : renamedIpv4;
    this.#addresses.set(address, renamed);
    return renamed;
  }
}

/** True for a run that usually names nothing, and so has no pseudonym: a single character, or a short number. */
const isKeptRun = (run: string): boolean => run.length === 1 || /^\d{1,5}$/.test(run);

/**
 * Returns the text that escaped bytes of a URL spell, even if they are escaped several times (`%252F` spells `/`), and a function that
 * escapes another text as often. Undefined if the bytes are not UTF-8.
 */
function readEscapedText(escapes: string): { text: string; escapeAgain(text: string): string } | undefined {
  let text = escapes;
  let times = 0;
  try {
    for (; /%[0-9A-Fa-f]{2}/.test(text); times++) text = decodeURIComponent(text);
  } catch {
    return undefined;
  }
  const escapeAgain = (other: string) => {
    let escaped = other;
    for (let i = 0; i < times; i++) escaped = encodeURIComponent(escaped);
    return escaped;
  };
  return { text, escapeAgain };
}

/**
 * Returns where in a text an anonymous snapshot keeps a part of a host name: its ending, such as `co.uk` in `shop.acme.co.uk`, or the part
 * that is the platform's own, such as `vercel.app` in `shop.vercel.app`. What a plan decides can depend on both.
 */
function rangesOfSuffixes(text: string): [start: number, end: number][] {
  if (!text.includes('.')) return [];
  return [...text.matchAll(hostNamePattern)].flatMap(({ 0: host, index }): [number, number][] => {
    const end = index + host.length;
    const ownHost = platformHost.exec(host)?.[0].replace(/^\./, '');
    const suffix = ownHost ?? hostSuffix.exec(host)?.[0];
    return suffix === undefined ? [] : [[end - suffix.length, end]];
  });
}
