/** Who has the LOCK of a document, in the members that Terraform sends. */
export interface Lock {
  ID: string;
  Operation: string;
  Info: string;
  Who: string;
  Version: string;
  Created: string;
  Path: string;
}

const members = ['ID', 'Operation', 'Info', 'Who', 'Version', 'Created', 'Path'] as const;

export const lockText = (lock: Lock): string => JSON.stringify(lock);

/** What a server says of the LOCK that is in the way; what it does not say is empty. */
export function lockIn(text: string): Lock {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    said = undefined;
  }
  const found = typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {};
  return Object.fromEntries(
    members.map((name) => [name, typeof found[name] === 'string' ? found[name].slice(0, 200) : '']),
  ) as Record<(typeof members)[number], string>;
}
