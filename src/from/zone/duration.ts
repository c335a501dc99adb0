const seconds: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Seconds of a time as zone files have it: `3600`, `1h`, `1h30m`. Undefined for anything else. */
export function durationOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(\d+[smhdw])+$/i.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhdw])/gi)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * seconds[unit!.toLowerCase()]!,
    0,
  );
}
