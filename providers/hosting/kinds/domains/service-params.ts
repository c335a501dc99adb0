/**
 * The parameters of an HTTPS record (RFC 9460): a set of keys with values, `alpn="h2,h3" port=443`. Their order, the blanks between
 * them and quotes that are not needed mean nothing, so that normal form has none of these.
 */

/** The keys that have a name, in the order of their numbers. */
const keys = [
  'mandatory',
  'alpn',
  'no-default-alpn',
  'port',
  'ipv4hint',
  'ech',
  'ipv6hint',
  'dohpath',
  'ohttp',
];

const maxKey = 65535;

interface ServiceParam {
  key: string;
  /** As it is written, with its escapes, without quotes around it; undefined if there is none. */
  value: string | undefined;
}

/**
 * Returns the service parameters of an HTTPS record in normal form, so that equal ones compare as equal: in the
 * order of their numbers, and with quotes only around values with blanks. Returns a text that is no list of
 * parameters unchanged.
 */
export function normalServiceParams(text: string): string {
  const params = parseServiceParams(text);
  if (!params) return text.trim();
  return params
    .sort((a, b) => numberOf(a.key) - numberOf(b.key) || (a.key < b.key ? -1 : 1))
    .map(({ key, value }) => (value === undefined || value === '' ? key : `${key}=${inQuotes(value)}`))
    .join(' ');
}

/**
 * Returns the mistake in the service parameters of an HTTPS record; undefined if there is none. An unknown key is
 * only a warning, because it may be new.
 */
export function serviceParamsProblem(text: string): { message: string; severity?: 'warning' } | undefined {
  const params = parseServiceParams(text);
  if (!params) return { message: 'service parameters must be `key=value`, separated by spaces' };
  const twice = params.find(({ key }, index) => params.findIndex((param) => param.key === key) < index);
  if (twice) return { message: `the service parameter \`${twice.key}\` appears twice` };
  const unknown = params.find(({ key }) => numberOf(key) > maxKey);
  return unknown && { message: `\`${unknown.key}\` is not a known service parameter`, severity: 'warning' };
}

/** Parses the service parameters of an HTTPS record (`alpn=h2 port=443`); undefined if the text is no list of parameters. */
function parseServiceParams(text: string): ServiceParam[] | undefined {
  const param = /\s*([a-z0-9-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|((?:[^\s"\\]|\\.)*)))?(?=\s|$)/isy;
  const params: ServiceParam[] = [];
  const trimmed = text.trim();
  while (param.lastIndex < trimmed.length) {
    const [, key, quoted, plain] = param.exec(trimmed) ?? [];
    if (key === undefined) return undefined;
    params.push({ key: nameOf(key.toLowerCase()), value: quoted ?? plain });
  }
  return params;
}

/** The name of a key that is written by its number: `key3` is `port`. */
function nameOf(key: string): string {
  const [, number] = /^key(0|[1-9]\d{0,4})$/.exec(key) ?? [];
  return (number !== undefined && keys[Number(number)]) || key;
}

/** Returns the number that the DNS standard gives a service parameter, to sort by it. Unknown keys come last. */
function numberOf(key: string): number {
  const [, number] = /^key(0|[1-9]\d{0,4})$/.exec(key) ?? [];
  if (number !== undefined) return Number(number);
  return keys.includes(key) ? keys.indexOf(key) : maxKey + 1;
}

const inQuotes = (value: string): string => (/\s/.test(value) ? `"${value}"` : value);
