/** A text as a part of a regular expression that stands for itself (Node 20 lacks RegExp.escape). */
export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
