import pc from 'picocolors';

type PaintText = (text: string) => string;

/** The look of reports: colours by meaning, and the width of a line. */
export interface Style {
  width: number;
  /** The width of a problem's sentences; in a log they stay whole, so that they can be searched for. */
  prose: number;
  /** Else only ASCII is used for what is not the user's own, and words in place of signs, for a screen reader. */
  unicode: boolean;
  strong: PaintText;
  quiet: PaintText;
  add: PaintText;
  change: PaintText;
  remove: PaintText;
  adopt: PaintText;
  move: PaintText;
  warn: PaintText;
  alarm: PaintText;
}

/** The signs that `plainly` spells out are longer then: so much room is kept for them. */
const spare = 6;

export function styleFor({
  color,
  width,
  isLog = false,
  unicode = true,
}: {
  color: boolean;
  width: number;
  /** Nothing breaks the lines of a log. */
  isLog?: boolean;
  unicode?: boolean | undefined;
}): Style {
  const colors = pc.createColors(color);
  const room = Math.max(40, width) - (unicode ? 0 : spare);
  return {
    width: room,
    prose: isLog ? Number.POSITIVE_INFINITY : room,
    unicode,
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

/** Decides on colour: NO_COLOR, then the flag, then FORCE_COLOR, then whether a terminal shows it. */
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

/** Decides on characters beyond ASCII: the flag, then TRUEUP_NO_UNICODE, then whether the terminal has the characters. */
export function useUnicode(asked: {
  env: Record<string, string | undefined>;
  flag: boolean | undefined;
}): boolean {
  const { TRUEUP_NO_UNICODE, TERM } = asked.env;
  return asked.flag ?? (!TRUEUP_NO_UNICODE && TERM !== 'linux');
}

/** A report as a style wants it: without the arrow and the ellipsis, where it has no more than ASCII. */
export const plainly = (text: string, { unicode }: Pick<Style, 'unicode'>): string =>
  unicode ? text : text.replaceAll('→', '->').replaceAll('…', '...');
