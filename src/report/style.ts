import pc from 'picocolors';

type Paint = (text: string) => string;

/** How reports look: colours by what they mean, and how wide a line may be. */
export interface Style {
  width: number;
  strong: Paint;
  quiet: Paint;
  add: Paint;
  change: Paint;
  remove: Paint;
  adopt: Paint;
  move: Paint;
  warn: Paint;
  alarm: Paint;
}

export function styleFor({ color, width }: { color: boolean; width: number }): Style {
  const colors = pc.createColors(color);
  return {
    width: Math.max(40, width),
    strong: colors.bold,
    quiet: colors.gray,
    add: colors.green,
    change: colors.yellow,
    remove: colors.red,
    adopt: colors.cyan,
    move: colors.magenta,
    warn: colors.yellow,
    alarm: (text) => colors.bold(colors.red(text)),
  };
}

/** Whether to use colour: NO_COLOR, then the flag, then FORCE_COLOR, then whether a terminal shows it. */
export function useColor(asked: {
  env: Record<string, string | undefined>;
  flag: boolean | undefined;
  isTTY: boolean;
}): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = asked.env;
  if (NO_COLOR) return false;
  if (asked.flag !== undefined) return asked.flag;
  if (FORCE_COLOR) return !['0', 'false'].includes(FORCE_COLOR);
  return asked.isTTY && TERM !== 'dumb';
}
