/** The types of zone files: their names and numbers, and the data that RFC 3597 lets any type have. */

const typeNames =
  /^(A|AAAA|ALIAS|ANAME|CAA|CDNSKEY|CDS|CERT|CNAME|CSYNC|DHCID|DNAME|DNSKEY|DS|EUI48|EUI64|HINFO|HIP|HTTPS|IPSECKEY|LOC|MX|NAPTR|NS|NSEC|NSEC3|NSEC3PARAM|OPENPGPKEY|PTR|RP|RRSIG|SMIMEA|SOA|SPF|SRV|SSHFP|SVCB|TLSA|TXT|URI|ZONEMD)$/;

const typeNumbers: Record<string, string> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  12: 'PTR',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  33: 'SRV',
  39: 'DNAME',
  64: 'SVCB',
  65: 'HTTPS',
  257: 'CAA',
};

/**
 * Returns the name of a record type, also for its number (`TYPE257`). Returns undefined for any other word, so that the type can be found in a
 * line.
 */
export function parseRecordType(word: string): string | undefined {
  const upper = word.toUpperCase();
  const [, number] = /^TYPE0*(\d{1,5})$/.exec(upper) ?? [];
  if (number !== undefined) return typeNumbers[number] ?? `TYPE${number}`;
  // An ANAME of other providers is an ALIAS here.
  return upper === 'ANAME' ? 'ALIAS' : typeNames.test(upper) ? upper : undefined;
}

/**
 * Reads data in the generic form `\# LENGTH HEX`, which any record may have, and returns the fields in the usual form of the type. Returns the
 * reason if that is not possible.
 */
export function readGenericData(type: string, words: readonly string[]): string[] | { why: string } {
  const [length = '', ...hex] = words;
  const digits = hex.join('');
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits) || Number(length) * 2 !== digits.length)
    return { why: 'its data is not as long as it says' };
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const readBytes = readers[type];
  if (!readBytes)
    return { why: `the generic form of a record of type ${type} is not read: write its fields` };
  return readBytes(bytes) ?? { why: `its data is not that of a record of type ${type}` };
}

/** Returns the fields in bytes; undefined if the bytes do not fit the type. */
type ReadBytes = (bytes: Uint8Array) => string[] | undefined;

const readers: Partial<Record<string, ReadBytes>> = {
  A: (bytes) => (bytes.length === 4 ? [bytes.join('.')] : undefined),
  AAAA: (bytes) => (bytes.length === 16 ? [groupsOf(bytes).join(':')] : undefined),
  CAA(bytes) {
    const [flags, tagLength = 0] = bytes;
    const [tag, value] = [utf8Text(bytes.slice(2, 2 + tagLength)), utf8Text(bytes.slice(2 + tagLength))];
    return tag?.length === tagLength && tagLength > 0 && value !== undefined
      ? [String(flags), tag, value]
      : undefined;
  },
  TXT(bytes) {
    const pieces: number[] = [];
    let index = 0;
    for (; index < bytes.length; index += 1 + bytes[index]!)
      pieces.push(...bytes.slice(index + 1, index + 1 + bytes[index]!));
    const text = utf8Text(Uint8Array.from(pieces));
    return index === bytes.length && index > 0 && text !== undefined ? [text] : undefined;
  },
};

/** Returns the eight groups of an IPv6 address in hexadecimal form. */
const groupsOf = (bytes: Uint8Array): string[] =>
  Array.from({ length: 8 }, (_, index) => ((bytes[2 * index]! << 8) | bytes[2 * index + 1]!).toString(16));

/** Returns the text that bytes stand for; undefined if they are no UTF-8. A configuration can contain only text. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
