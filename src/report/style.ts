import pc from 'picocolors';

type PaintText = (text: string) => string;

/** The look of reports: functions that colour a text, named by meaning, and the width of a line. */
export interface Style {
  width: number;
  /** The width of sentences. Infinite in a log, so that a sentence stays in one line and a search finds it. */
  prose: number;
  /** False for screen readers and old terminals: our own texts are ASCII then, and words replace signs. The user's texts keep their
   * characters, except arrows and ellipses. */
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

/** The columns kept free without Unicode, because `plainly` replaces signs by longer ones. */
const asciiReserve = 6;

/** Creates the style of a report for a terminal or a log: colours, widths, and whether it may have characters beyond ASCII. */
export function styleFor({
  color,
  width,
  isLog = false,
  unicode = true,
}: {
  color: boolean;
  width: number;
  /** The report goes to a log, whose lines are not broken. */
  isLog?: boolean;
  unicode?: boolean | undefined;
}): Style {
  const colors = pc.createColors(color);
  const usableWidth = Math.max(40, width) - (unicode ? 0 : asciiReserve);
  return {
    width: usableWidth,
    prose: isLog ? Number.POSITIVE_INFINITY : usableWidth,
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

/**
 * Decides whether a report has colours. The first of these that is set decides: NO_COLOR, `--no-color` (`isRefused`), FORCE_COLOR, then
 * whether the output is a terminal that is not `dumb`.
 */
export function useColor(settings: {
  env: Record<string, string | undefined>;
  isRefused: boolean;
  isTTY: boolean;
}): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = settings.env;
  if (NO_COLOR || settings.isRefused) return false;
  if (FORCE_COLOR) return !['0', 'false'].includes(FORCE_COLOR);
  return settings.isTTY && TERM !== 'dumb';
}

/** Decides whether a report may have characters beyond ASCII: by TRUEUP_NO_UNICODE and the type of the terminal. */
export const useUnicode = ({ TRUEUP_NO_UNICODE, TERM }: Record<string, string | undefined>): boolean =>
  !TRUEUP_NO_UNICODE && TERM !== 'linux';

/**
 * Returns a report with ASCII characters instead of arrows and ellipses if its style has no Unicode. Called once for each finished report.
 */
export const plainly = (text: string, { unicode }: Pick<Style, 'unicode'>): string =>
  unicode ? text : text.replaceAll('→', '->').replaceAll('…', '...');
