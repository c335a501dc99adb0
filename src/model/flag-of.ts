/** Returns the flag behind the name of an option: `--send-unverified` for `sendUnverified`. */
export const flagOf = (name: string): string =>
  `--${name === 'actions' ? 'no-' : ''}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
