/** The flag behind an option's name: `sendUnverified` is `--send-unverified`. */
export const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
