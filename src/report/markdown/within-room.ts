/** A part of a report in several lengths, the longest first, and how much room it takes from others: `urgent` ones come first. */
export interface Piece {
  forms: string[];
  urgent: boolean;
}

/** As GitHub may count: no text has more characters than bytes. */
export const sizeOf = (text: string): number => new TextEncoder().encode(text).length;

/** The share of the room that urgent parts may take before everything else is at least named. */
const urgentShare = 0.6;
const between = 2;

/**
 * Which form of each piece there is room for, by its index; `undefined` where there is none. Pieces are in the order of
 * their importance: what is urgent is told in full, then all are named, then all are told at more length, step by step, as far as it goes.
 */
export function withinRoom(pieces: Piece[], room: number): (number | undefined)[] {
  const chosen: (number | undefined)[] = pieces.map(() => undefined);
  const sizes = pieces.map(({ forms }) => forms.map((form) => sizeOf(form) + between));
  let used = 0;
  const take = (formOf: (forms: string[]) => number, limit: number, only: (piece: Piece) => boolean) => {
    for (const [at, piece] of pieces.entries()) {
      const form = formOf(piece.forms);
      const old = chosen[at];
      if (!only(piece) || (old !== undefined && old <= form)) continue;
      const more = sizes[at]![form]! - (old === undefined ? 0 : sizes[at]![old]!);
      if (used + more > limit) continue;
      used += more;
      chosen[at] = form;
    }
  };
  const longest = () => 0;
  take(longest, room * urgentShare, ({ urgent }) => urgent);
  take(
    (forms) => forms.length - 1,
    room,
    () => true,
  );
  // Everybody a step longer before anybody two.
  const steps = Math.max(0, ...pieces.map(({ forms }) => forms.length - 1));
  for (let step = 1; step <= steps; step++)
    take(
      (forms) => Math.max(0, forms.length - 1 - step),
      room,
      () => true,
    );
  return chosen;
}
