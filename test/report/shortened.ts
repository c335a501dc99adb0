const most = 60;

/** A long text by its head, its tail and how long it is, so that a golden file stays small. */
export function shortened(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= 2 * most) return text;
  const left = lines.length - 2 * most;
  return [...lines.slice(0, most), `[${left} lines left out here]`, ...lines.slice(-most)].join('\n');
}
