/**
 * Recognizes text that may let somebody in, when nothing else tells where the text comes from.
 *
 * | Sign | Examples |
 * | --- | --- |
 * | a password in a URL | `https://ada:hunter2@example.com` |
 * | a value after the name of a credential | `--token=hunter2`, `--password hunter2`, `?api_key=hunter2`, `authorization: hunter2` |
 * | an authorization scheme | `Bearer hunter2`, `Basic YWRhOng=` |
 * | a word that mixes letters and digits as no person would | `sk_live_51H8xKq2`, `s3cr3t9f`, a token, a hash |
 *
 * It proves nothing: a password of ordinary words, without a name next to it, reads like any other text.
 */
export const holdsCredential = (text: string): boolean =>
  withUser.test(text) || assignment.test(text) || scheme.test(text) || hasRandomWord(text);

const credentialWords =
  'tokens?|secrets?|passw(?:or)?d|passphrase|pwd|credentials?|cookie|jwt|dsn|signature|bearer|api[-_]?key|access[-_]?key|private[-_]?key|secret[-_]?key|signing[-_]?key|encryption[-_]?key|auth[-_]?key|authorization|auth';

/**
 * True if a variable, header, parameter or member with this name usually holds a credential: `API_TOKEN`, `x-api-key`,
 * `clientSecret`. Used to hide values although no schema says that they are secret.
 */
export const isCredentialName = (name: string): boolean => credentialName.test(separated(name));

const credentialName = new RegExp(`(?:^|[-_. ])(?:${credentialWords})s?$|[-_. ]key$`, 'i');

/**
 * True if a framework puts variables with this name into pages for every visitor, such as `NEXT_PUBLIC_SITE_ID`. Such a
 * value is no secret, even if its name sounds like one.
 */
export const isPublicName = (name: string): boolean =>
  /^(?:(?:NEXT_|NUXT_|EXPO_)?PUBLIC|VITE|REACT_APP|GATSBY)_/.test(name);

/** Returns a name with a dash before each capital letter: `client-Secret` for `clientSecret`. */
const separated = (name: string): string => name.replace(/([a-z\d])(?=[A-Z])/g, '$1-');

const withUser = /:\/\/[^\s/?#@]*:[^\s/?#@]+@/;
/** A value that is itself a name, such as `$TOKEN` or `${{ secrets.TOKEN }}`, is no credential. */
const assignment = new RegExp(
  `(?:^|[^\\p{L}\\p{N}])(?:[\\w-]{0,40}[-_])?(?:${credentialWords})["']?(?:\\s{0,4}[:=]\\s{0,4}|\\s{1,4}(?<=--\\S{1,60}\\s{1,4}))["']?(?:bearer |basic )?(?![$%<{]|(?:none|true|false|null)\\b)[^\\s"',;&]{4,}`,
  'iu',
);
const scheme = /(?:^|[\s"'=:])(?:bearer|basic|digest|token)\s+(?![$%<{])[\w.~+/=-]{6,}/i;

/** Host names and IP addresses, alone or in a URL. Everybody can look them up: `d3f1x9.cdn.example.com`. */
const hostPattern =
  /^(?:[a-z0-9_*-]{1,63}\.)+[a-z]{2,24}\.?$|^[\da-f:.]*:[\da-f:.]*(?:\/\d+)?$|:\/\/[a-z0-9_*.-]+(?::\d+)?/gi;

/**
 * True if a text contains a random word, such as a token. Host names are removed first, because they are public and
 * often look random.
 */
const hasRandomWord = (text: string): boolean =>
  text
    .replace(hostPattern, ' ')
    .split(/[^A-Za-z0-9]+/)
    .some(isRandomWord);

/** True if a word mixes letters and digits as no name does, so that it may be a token: `s3cr3t9f`. */
function isRandomWord(word: string): boolean {
  // The places at which a digit follows a letter, or a letter a digit.
  const turns = word.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  const mixesAsNoName = turns >= 2 && !usualWords.test(word);
  const isLongMixture = turns >= 1 && word.length >= 20;
  return mixesAsNoName || isLongMixture;
}

/** A number between letters (`i18n`, `oauth2proxy`), a size, a time or a duration. */
const usualWords = /^(?:[a-z]+\d{1,4}[a-z]+|\d+[xT]\d+Z?|(?:\d+(?:d|h|m|s|ms))+)$/i;
