const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long ago, in whole units of the largest that fits, by the clock of whoever wrote it: `3 days ago`. Takes milliseconds. */
export function ageText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 0) return 'in the future by the local clock';
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? units[3];
  const number = Math.floor(seconds / length);
  return `${number} ${unit}${number === 1 ? '' : 's'} ago`;
}
