"use strict";const part_KYSAZ52L=(()=>{const {
  layOut
}=require("./part-88.cjs").part_RDEMRLSM;const {
  byText
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cutCounted,
  cutPair
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine,
  visible
}=require("./part-80.cjs").part_D2V2PUP6;const {
  isHole,
  isPlainObject
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  inside,
  walk
}=require("./part-80.cjs").part_YNHFC6K5;;
;
;
;
;
;

// node_modules/diff/libesm/diff/base.js
var Diff = class {
  diff(oldStr, newStr, options = {}) {
    let callback;
    if (typeof options === "function") {
      callback = options;
      options = {};
    } else if ("callback" in options) {
      callback = options.callback;
    }
    const oldString = this.castInput(oldStr, options);
    const newString = this.castInput(newStr, options);
    const oldTokens = this.removeEmpty(this.tokenize(oldString, options));
    const newTokens = this.removeEmpty(this.tokenize(newString, options));
    return this.diffWithOptionsObj(oldTokens, newTokens, options, callback);
  }
  diffWithOptionsObj(oldTokens, newTokens, options, callback) {
    var _a;
    const done = (value) => {
      value = this.postProcess(value, options);
      if (callback) {
        setTimeout(function() {
          callback(value);
        }, 0);
        return void 0;
      } else {
        return value;
      }
    };
    const newLen = newTokens.length, oldLen = oldTokens.length;
    let editLength = 1;
    let maxEditLength = newLen + oldLen;
    if (options.maxEditLength != null) {
      maxEditLength = Math.min(maxEditLength, options.maxEditLength);
    }
    const maxExecutionTime = (_a = options.timeout) !== null && _a !== void 0 ? _a : Infinity;
    const abortAfterTimestamp = Date.now() + maxExecutionTime;
    const bestPath = [{ oldPos: -1, lastComponent: void 0 }];
    let newPos = this.extractCommon(bestPath[0], newTokens, oldTokens, 0, options);
    if (bestPath[0].oldPos + 1 >= oldLen && newPos + 1 >= newLen) {
      return done(this.buildValues(bestPath[0].lastComponent, newTokens, oldTokens));
    }
    let minDiagonalToConsider = -Infinity, maxDiagonalToConsider = Infinity;
    const execEditLength = () => {
      for (let diagonalPath = Math.max(minDiagonalToConsider, -editLength); diagonalPath <= Math.min(maxDiagonalToConsider, editLength); diagonalPath += 2) {
        let basePath;
        const removePath = bestPath[diagonalPath - 1], addPath = bestPath[diagonalPath + 1];
        if (removePath) {
          bestPath[diagonalPath - 1] = void 0;
        }
        let canAdd = false;
        if (addPath) {
          const addPathNewPos = addPath.oldPos - diagonalPath;
          canAdd = addPath && 0 <= addPathNewPos && addPathNewPos < newLen;
        }
        const canRemove = removePath && removePath.oldPos + 1 < oldLen;
        if (!canAdd && !canRemove) {
          bestPath[diagonalPath] = void 0;
          continue;
        }
        if (!canRemove || canAdd && removePath.oldPos < addPath.oldPos) {
          basePath = this.addToPath(addPath, true, false, 0, options);
        } else {
          basePath = this.addToPath(removePath, false, true, 1, options);
        }
        newPos = this.extractCommon(basePath, newTokens, oldTokens, diagonalPath, options);
        if (basePath.oldPos + 1 >= oldLen && newPos + 1 >= newLen) {
          return done(this.buildValues(basePath.lastComponent, newTokens, oldTokens)) || true;
        } else {
          bestPath[diagonalPath] = basePath;
          if (basePath.oldPos + 1 >= oldLen) {
            maxDiagonalToConsider = Math.min(maxDiagonalToConsider, diagonalPath - 1);
          }
          if (newPos + 1 >= newLen) {
            minDiagonalToConsider = Math.max(minDiagonalToConsider, diagonalPath + 1);
          }
        }
      }
      editLength++;
    };
    if (callback) {
      (function exec() {
        setTimeout(function() {
          if (editLength > maxEditLength || Date.now() > abortAfterTimestamp) {
            return callback(void 0);
          }
          if (!execEditLength()) {
            exec();
          }
        }, 0);
      })();
    } else {
      while (editLength <= maxEditLength && Date.now() <= abortAfterTimestamp) {
        const ret = execEditLength();
        if (ret) {
          return ret;
        }
      }
    }
  }
  addToPath(path, added, removed, oldPosInc, options) {
    const last = path.lastComponent;
    if (last && !options.oneChangePerToken && last.added === added && last.removed === removed) {
      return {
        oldPos: path.oldPos + oldPosInc,
        lastComponent: { count: last.count + 1, added, removed, previousComponent: last.previousComponent }
      };
    } else {
      return {
        oldPos: path.oldPos + oldPosInc,
        lastComponent: { count: 1, added, removed, previousComponent: last }
      };
    }
  }
  extractCommon(basePath, newTokens, oldTokens, diagonalPath, options) {
    const newLen = newTokens.length, oldLen = oldTokens.length;
    let oldPos = basePath.oldPos, newPos = oldPos - diagonalPath, commonCount = 0;
    while (newPos + 1 < newLen && oldPos + 1 < oldLen && this.equals(oldTokens[oldPos + 1], newTokens[newPos + 1], options)) {
      newPos++;
      oldPos++;
      commonCount++;
      if (options.oneChangePerToken) {
        basePath.lastComponent = { count: 1, previousComponent: basePath.lastComponent, added: false, removed: false };
      }
    }
    if (commonCount && !options.oneChangePerToken) {
      basePath.lastComponent = { count: commonCount, previousComponent: basePath.lastComponent, added: false, removed: false };
    }
    basePath.oldPos = oldPos;
    return newPos;
  }
  equals(left, right, options) {
    if (options.comparator) {
      return options.comparator(left, right);
    } else {
      return left === right || !!options.ignoreCase && left.toLowerCase() === right.toLowerCase();
    }
  }
  removeEmpty(array) {
    const ret = [];
    for (let i = 0; i < array.length; i++) {
      if (array[i]) {
        ret.push(array[i]);
      }
    }
    return ret;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  castInput(value, options) {
    return value;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  tokenize(value, options) {
    return Array.from(value);
  }
  join(chars) {
    return chars.join("");
  }
  postProcess(changeObjects, options) {
    return changeObjects;
  }
  get useLongestToken() {
    return false;
  }
  buildValues(lastComponent, newTokens, oldTokens) {
    const components = [];
    let nextComponent;
    while (lastComponent) {
      components.push(lastComponent);
      nextComponent = lastComponent.previousComponent;
      delete lastComponent.previousComponent;
      lastComponent = nextComponent;
    }
    components.reverse();
    const componentLen = components.length;
    let componentPos = 0, newPos = 0, oldPos = 0;
    for (; componentPos < componentLen; componentPos++) {
      const component = components[componentPos];
      if (!component.removed) {
        if (!component.added && this.useLongestToken) {
          let value = newTokens.slice(newPos, newPos + component.count);
          value = value.map(function(value2, i) {
            const oldValue = oldTokens[oldPos + i];
            return oldValue.length > value2.length ? oldValue : value2;
          });
          component.value = this.join(value);
        } else {
          component.value = this.join(newTokens.slice(newPos, newPos + component.count));
        }
        newPos += component.count;
        if (!component.added) {
          oldPos += component.count;
        }
      } else {
        component.value = this.join(oldTokens.slice(oldPos, oldPos + component.count));
        oldPos += component.count;
      }
    }
    return components;
  }
};

// node_modules/diff/libesm/util/string.js
function longestCommonPrefix(str1, str2) {
  let i;
  for (i = 0; i < str1.length && i < str2.length; i++) {
    if (str1[i] != str2[i]) {
      return str1.slice(0, i);
    }
  }
  return str1.slice(0, i);
}
function longestCommonSuffix(str1, str2) {
  let i;
  if (!str1 || !str2 || str1[str1.length - 1] != str2[str2.length - 1]) {
    return "";
  }
  for (i = 0; i < str1.length && i < str2.length; i++) {
    if (str1[str1.length - (i + 1)] != str2[str2.length - (i + 1)]) {
      return str1.slice(-i);
    }
  }
  return str1.slice(-i);
}
function replacePrefix(string, oldPrefix, newPrefix) {
  if (string.slice(0, oldPrefix.length) != oldPrefix) {
    throw Error(`string ${JSON.stringify(string)} doesn't start with prefix ${JSON.stringify(oldPrefix)}; this is a bug`);
  }
  return newPrefix + string.slice(oldPrefix.length);
}
function replaceSuffix(string, oldSuffix, newSuffix) {
  if (!oldSuffix) {
    return string + newSuffix;
  }
  if (string.slice(-oldSuffix.length) != oldSuffix) {
    throw Error(`string ${JSON.stringify(string)} doesn't end with suffix ${JSON.stringify(oldSuffix)}; this is a bug`);
  }
  return string.slice(0, -oldSuffix.length) + newSuffix;
}
function removePrefix(string, oldPrefix) {
  return replacePrefix(string, oldPrefix, "");
}
function removeSuffix(string, oldSuffix) {
  return replaceSuffix(string, oldSuffix, "");
}
function maximumOverlap(string1, string2) {
  return string2.slice(0, overlapCount(string1, string2));
}
function overlapCount(a, b) {
  let startA = 0;
  if (a.length > b.length) {
    startA = a.length - b.length;
  }
  let endB = b.length;
  if (a.length < b.length) {
    endB = a.length;
  }
  const map = Array(endB);
  let k = 0;
  map[0] = 0;
  for (let j = 1; j < endB; j++) {
    if (b[j] == b[k]) {
      map[j] = map[k];
    } else {
      map[j] = k;
    }
    while (k > 0 && b[j] != b[k]) {
      k = map[k];
    }
    if (b[j] == b[k]) {
      k++;
    }
  }
  k = 0;
  for (let i = startA; i < a.length; i++) {
    while (k > 0 && a[i] != b[k]) {
      k = map[k];
    }
    if (a[i] == b[k]) {
      k++;
    }
  }
  return k;
}
function segment(string, segmenter) {
  const parts = [];
  for (const segmentObj of Array.from(segmenter.segment(string))) {
    const segment2 = segmentObj.segment;
    if (parts.length && /\s/.test(parts[parts.length - 1]) && /\s/.test(segment2)) {
      parts[parts.length - 1] += segment2;
    } else {
      parts.push(segment2);
    }
  }
  return parts;
}
function trailingWs(string, segmenter) {
  if (segmenter) {
    return leadingAndTrailingWs(string, segmenter)[1];
  }
  let i;
  for (i = string.length - 1; i >= 0; i--) {
    if (!string[i].match(/\s/)) {
      break;
    }
  }
  return string.substring(i + 1);
}
function leadingWs(string, segmenter) {
  if (segmenter) {
    return leadingAndTrailingWs(string, segmenter)[0];
  }
  const match = string.match(/^\s*/);
  return match ? match[0] : "";
}
function leadingAndTrailingWs(string, segmenter) {
  if (!segmenter) {
    return [leadingWs(string), trailingWs(string)];
  }
  if (segmenter.resolvedOptions().granularity != "word") {
    throw new Error('The segmenter passed must have a granularity of "word"');
  }
  const segments = segment(string, segmenter);
  const firstSeg = segments[0];
  const lastSeg = segments[segments.length - 1];
  const head = /\s/.test(firstSeg) ? firstSeg : "";
  const tail = /\s/.test(lastSeg) ? lastSeg : "";
  return [head, tail];
}

// node_modules/diff/libesm/diff/word.js
var extendedWordChars = "a-zA-Z0-9_\\u{AD}\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2C6}\\u{2C8}-\\u{2D7}\\u{2DE}-\\u{2FF}\\u{1E00}-\\u{1EFF}";
var tokenizeIncludingWhitespace = new RegExp(`[${extendedWordChars}]+|\\s+|[^${extendedWordChars}]`, "ug");
var WordDiff = class extends Diff {
  equals(left, right, options) {
    if (options.ignoreCase) {
      left = left.toLowerCase();
      right = right.toLowerCase();
    }
    return left.trim() === right.trim();
  }
  tokenize(value, options = {}) {
    let parts;
    if (options.intlSegmenter) {
      const segmenter = options.intlSegmenter;
      if (segmenter.resolvedOptions().granularity != "word") {
        throw new Error('The segmenter passed must have a granularity of "word"');
      }
      parts = segment(value, segmenter);
    } else {
      parts = value.match(tokenizeIncludingWhitespace) || [];
    }
    const tokens = [];
    let prevPart = null;
    parts.forEach((part) => {
      if (/\s/.test(part)) {
        if (prevPart == null) {
          tokens.push(part);
        } else {
          tokens.push(tokens.pop() + part);
        }
      } else if (prevPart != null && /\s/.test(prevPart)) {
        if (tokens[tokens.length - 1] == prevPart) {
          tokens.push(tokens.pop() + part);
        } else {
          tokens.push(prevPart + part);
        }
      } else {
        tokens.push(part);
      }
      prevPart = part;
    });
    return tokens;
  }
  join(tokens) {
    return tokens.map((token, i) => {
      if (i == 0) {
        return token;
      } else {
        return token.replace(/^\s+/, "");
      }
    }).join("");
  }
  postProcess(changes, options) {
    if (!changes || options.oneChangePerToken) {
      return changes;
    }
    let lastKeep = null;
    let insertion = null;
    let deletion = null;
    changes.forEach((change) => {
      if (change.added) {
        insertion = change;
      } else if (change.removed) {
        deletion = change;
      } else {
        if (insertion || deletion) {
          dedupeWhitespaceInChangeObjects(lastKeep, deletion, insertion, change, options.intlSegmenter);
        }
        lastKeep = change;
        insertion = null;
        deletion = null;
      }
    });
    if (insertion || deletion) {
      dedupeWhitespaceInChangeObjects(lastKeep, deletion, insertion, null, options.intlSegmenter);
    }
    return changes;
  }
};
var wordDiff = new WordDiff();
function dedupeWhitespaceInChangeObjects(startKeep, deletion, insertion, endKeep, segmenter) {
  if (deletion && insertion) {
    const [oldWsPrefix, oldWsSuffix] = leadingAndTrailingWs(deletion.value, segmenter);
    const [newWsPrefix, newWsSuffix] = leadingAndTrailingWs(insertion.value, segmenter);
    if (startKeep) {
      const commonWsPrefix = longestCommonPrefix(oldWsPrefix, newWsPrefix);
      startKeep.value = replaceSuffix(startKeep.value, newWsPrefix, commonWsPrefix);
      deletion.value = removePrefix(deletion.value, commonWsPrefix);
      insertion.value = removePrefix(insertion.value, commonWsPrefix);
    }
    if (endKeep) {
      const commonWsSuffix = longestCommonSuffix(oldWsSuffix, newWsSuffix);
      endKeep.value = replacePrefix(endKeep.value, newWsSuffix, commonWsSuffix);
      deletion.value = removeSuffix(deletion.value, commonWsSuffix);
      insertion.value = removeSuffix(insertion.value, commonWsSuffix);
    }
  } else if (insertion) {
    if (startKeep) {
      const ws = leadingWs(insertion.value, segmenter);
      insertion.value = insertion.value.substring(ws.length);
    }
    if (endKeep) {
      const ws = leadingWs(endKeep.value, segmenter);
      endKeep.value = endKeep.value.substring(ws.length);
    }
  } else if (startKeep && endKeep) {
    const newWsFull = leadingWs(endKeep.value, segmenter), [delWsStart, delWsEnd] = leadingAndTrailingWs(deletion.value, segmenter);
    const newWsStart = longestCommonPrefix(newWsFull, delWsStart);
    deletion.value = removePrefix(deletion.value, newWsStart);
    const newWsEnd = longestCommonSuffix(removePrefix(newWsFull, newWsStart), delWsEnd);
    deletion.value = removeSuffix(deletion.value, newWsEnd);
    endKeep.value = replacePrefix(endKeep.value, newWsFull, newWsEnd);
    startKeep.value = replaceSuffix(startKeep.value, newWsFull, newWsFull.slice(0, newWsFull.length - newWsEnd.length));
  } else if (endKeep) {
    const endKeepWsPrefix = leadingWs(endKeep.value, segmenter);
    const deletionWsSuffix = trailingWs(deletion.value, segmenter);
    const overlap = maximumOverlap(deletionWsSuffix, endKeepWsPrefix);
    deletion.value = removeSuffix(deletion.value, overlap);
  } else if (startKeep) {
    const startKeepWsSuffix = trailingWs(startKeep.value, segmenter);
    const deletionWsPrefix = leadingWs(deletion.value, segmenter);
    const overlap = maximumOverlap(startKeepWsSuffix, deletionWsPrefix);
    deletion.value = removePrefix(deletion.value, overlap);
  }
}
var WordsWithSpaceDiff = class extends Diff {
  tokenize(value) {
    const regex = new RegExp(`(\\r?\\n)|[${extendedWordChars}]+|[^\\S\\n\\r]+|[^${extendedWordChars}]`, "ug");
    return value.match(regex) || [];
  }
};
var wordsWithSpaceDiff = new WordsWithSpaceDiff();
function diffWordsWithSpace(oldStr, newStr, options) {
  return wordsWithSpaceDiff.diff(oldStr, newStr, options);
}

// node_modules/diff/libesm/diff/line.js
var LineDiff = class extends Diff {
  constructor() {
    super(...arguments);
    this.tokenize = tokenize;
  }
  equals(left, right, options) {
    if (options.ignoreWhitespace) {
      if (!options.newlineIsToken || !left.includes("\n")) {
        left = left.trim();
      }
      if (!options.newlineIsToken || !right.includes("\n")) {
        right = right.trim();
      }
    } else if (options.ignoreNewlineAtEof && !options.newlineIsToken) {
      if (left.endsWith("\n")) {
        left = left.slice(0, -1);
      }
      if (right.endsWith("\n")) {
        right = right.slice(0, -1);
      }
    }
    return super.equals(left, right, options);
  }
};
var lineDiff = new LineDiff();
function diffLines(oldStr, newStr, options) {
  return lineDiff.diff(oldStr, newStr, options);
}
function tokenize(value, options) {
  if (options.stripTrailingCr) {
    value = value.replace(/\r\n/g, "\n");
  }
  const retLines = [], linesAndNewlines = value.split(/(\n|\r\n)/);
  if (!linesAndNewlines[linesAndNewlines.length - 1]) {
    linesAndNewlines.pop();
  }
  for (let i = 0; i < linesAndNewlines.length; i++) {
    const line = linesAndNewlines[i];
    if (i % 2 && !options.newlineIsToken) {
      retLines[retLines.length - 1] += line;
    } else {
      retLines.push(line);
    }
  }
  return retLines;
}

// node_modules/diff/libesm/diff/array.js
var ArrayDiff = class extends Diff {
  tokenize(value) {
    return value.slice();
  }
  join(value) {
    return value;
  }
  removeEmpty(value) {
    return value;
  }
};
var arrayDiff = new ArrayDiff();
function diffArrays(oldArr, newArr, options) {
  return arrayDiff.diff(oldArr, newArr, options);
}

// node_modules/diff/libesm/patch/create.js
function needsQuoting(s) {
  for (let i = 0; i < s.length; i++) {
    if (s[i] < " " || s[i] > "~" || s[i] === '"' || s[i] === "\\") {
      return true;
    }
  }
  return false;
}
function quoteFileNameIfNeeded(s) {
  if (!needsQuoting(s)) {
    return s;
  }
  let result = '"';
  const bytes = new TextEncoder().encode(s);
  let i = 0;
  while (i < bytes.length) {
    const b = bytes[i];
    if (b === 7) {
      result += "\\a";
    } else if (b === 8) {
      result += "\\b";
    } else if (b === 9) {
      result += "\\t";
    } else if (b === 10) {
      result += "\\n";
    } else if (b === 11) {
      result += "\\v";
    } else if (b === 12) {
      result += "\\f";
    } else if (b === 13) {
      result += "\\r";
    } else if (b === 34) {
      result += '\\"';
    } else if (b === 92) {
      result += "\\\\";
    } else if (b >= 32 && b <= 126) {
      result += String.fromCharCode(b);
    } else {
      result += "\\" + b.toString(8).padStart(3, "0");
    }
    i++;
  }
  result += '"';
  return result;
}
var INCLUDE_HEADERS = {
  includeIndex: true,
  includeUnderline: true,
  includeFileHeaders: true
};
function structuredPatch(oldFileName, newFileName, oldStr, newStr, oldHeader, newHeader, options) {
  let optionsObj;
  if (!options) {
    optionsObj = {};
  } else if (typeof options === "function") {
    optionsObj = { callback: options };
  } else {
    optionsObj = options;
  }
  if (typeof optionsObj.context === "undefined") {
    optionsObj.context = 4;
  }
  const context2 = optionsObj.context;
  if (optionsObj.newlineIsToken) {
    throw new Error("newlineIsToken may not be used with patch-generation functions, only with diffing functions");
  }
  if (!optionsObj.callback) {
    return diffLinesResultToPatch(diffLines(oldStr, newStr, optionsObj));
  } else {
    const { callback } = optionsObj;
    diffLines(oldStr, newStr, Object.assign(Object.assign({}, optionsObj), { callback: (diff) => {
      const patch = diffLinesResultToPatch(diff);
      callback(patch);
    } }));
  }
  function diffLinesResultToPatch(diff) {
    if (!diff) {
      return;
    }
    diff.push({ value: "", lines: [] });
    function contextLines(lines) {
      return lines.map(function(entry) {
        return " " + entry;
      });
    }
    const hunks = [];
    let oldRangeStart = 0, newRangeStart = 0, curRange = [], oldLine = 1, newLine = 1;
    for (let i = 0; i < diff.length; i++) {
      const current = diff[i], lines = current.lines || splitLines(current.value);
      current.lines = lines;
      if (current.added || current.removed) {
        if (!oldRangeStart) {
          const prev = diff[i - 1];
          oldRangeStart = oldLine;
          newRangeStart = newLine;
          if (prev) {
            curRange = context2 > 0 ? contextLines(prev.lines.slice(-context2)) : [];
            oldRangeStart -= curRange.length;
            newRangeStart -= curRange.length;
          }
        }
        for (const line of lines) {
          curRange.push((current.added ? "+" : "-") + line);
        }
        if (current.added) {
          newLine += lines.length;
        } else {
          oldLine += lines.length;
        }
      } else {
        if (oldRangeStart) {
          if (lines.length <= context2 * 2 && i < diff.length - 2) {
            for (const line of contextLines(lines)) {
              curRange.push(line);
            }
          } else {
            const contextSize = Math.min(lines.length, context2);
            for (const line of contextLines(lines.slice(0, contextSize))) {
              curRange.push(line);
            }
            const hunk = {
              oldStart: oldRangeStart,
              oldLines: oldLine - oldRangeStart + contextSize,
              newStart: newRangeStart,
              newLines: newLine - newRangeStart + contextSize,
              lines: curRange
            };
            hunks.push(hunk);
            oldRangeStart = 0;
            newRangeStart = 0;
            curRange = [];
          }
        }
        oldLine += lines.length;
        newLine += lines.length;
      }
    }
    for (const hunk of hunks) {
      for (let i = 0; i < hunk.lines.length; i++) {
        if (hunk.lines[i].endsWith("\n")) {
          hunk.lines[i] = hunk.lines[i].slice(0, -1);
        } else {
          hunk.lines.splice(i + 1, 0, "\\ No newline at end of file");
          i++;
        }
      }
    }
    return {
      oldFileName,
      newFileName,
      oldHeader,
      newHeader,
      hunks
    };
  }
}
function formatPatch(patch, headerOptions) {
  var _a, _b, _c, _d, _e, _f;
  if (!headerOptions) {
    headerOptions = INCLUDE_HEADERS;
  }
  if (Array.isArray(patch)) {
    if (patch.length > 1 && !headerOptions.includeFileHeaders && !patch.every((p) => p.isGit)) {
      throw new Error("Cannot omit file headers on a multi-file patch. (The result would be unparseable; how would a tool trying to apply the patch know which changes are to which file?)");
    }
    return patch.map((p) => formatPatch(p, headerOptions)).join("\n");
  }
  const ret = [];
  if (patch.isGit) {
    headerOptions = INCLUDE_HEADERS;
    if (!patch.oldFileName) {
      throw new Error("oldFileName must be specified for Git patches");
    }
    if (!patch.newFileName) {
      throw new Error("newFileName must be specified for Git patches");
    }
    let gitOldName = patch.oldFileName;
    let gitNewName = patch.newFileName;
    if (patch.isCreate && gitOldName === "/dev/null") {
      gitOldName = gitNewName.replace(/^b\//, "a/");
    } else if (patch.isDelete && gitNewName === "/dev/null") {
      gitNewName = gitOldName.replace(/^a\//, "b/");
    }
    ret.push("diff --git " + quoteFileNameIfNeeded(gitOldName) + " " + quoteFileNameIfNeeded(gitNewName));
    if (patch.isDelete) {
      ret.push("deleted file mode " + ((_a = patch.oldMode) !== null && _a !== void 0 ? _a : "100644"));
    }
    if (patch.isCreate) {
      ret.push("new file mode " + ((_b = patch.newMode) !== null && _b !== void 0 ? _b : "100644"));
    }
    if (patch.oldMode && patch.newMode && !patch.isDelete && !patch.isCreate) {
      ret.push("old mode " + patch.oldMode);
      ret.push("new mode " + patch.newMode);
    }
    if (patch.isRename) {
      ret.push("rename from " + quoteFileNameIfNeeded(((_c = patch.oldFileName) !== null && _c !== void 0 ? _c : "").replace(/^a\//, "")));
      ret.push("rename to " + quoteFileNameIfNeeded(((_d = patch.newFileName) !== null && _d !== void 0 ? _d : "").replace(/^b\//, "")));
    }
    if (patch.isCopy) {
      ret.push("copy from " + quoteFileNameIfNeeded(((_e = patch.oldFileName) !== null && _e !== void 0 ? _e : "").replace(/^a\//, "")));
      ret.push("copy to " + quoteFileNameIfNeeded(((_f = patch.newFileName) !== null && _f !== void 0 ? _f : "").replace(/^b\//, "")));
    }
  } else {
    if (headerOptions.includeIndex && patch.oldFileName == patch.newFileName && patch.oldFileName !== void 0) {
      ret.push("Index: " + patch.oldFileName);
    }
    if (headerOptions.includeUnderline) {
      ret.push("===================================================================");
    }
  }
  const hasHunks = patch.hunks.length > 0;
  if (headerOptions.includeFileHeaders && patch.oldFileName !== void 0 && patch.newFileName !== void 0 && (!patch.isGit || hasHunks)) {
    ret.push("--- " + quoteFileNameIfNeeded(patch.oldFileName) + (patch.oldHeader ? "	" + patch.oldHeader : ""));
    ret.push("+++ " + quoteFileNameIfNeeded(patch.newFileName) + (patch.newHeader ? "	" + patch.newHeader : ""));
  }
  for (let i = 0; i < patch.hunks.length; i++) {
    const hunk = patch.hunks[i];
    const oldStart = hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart;
    const newStart = hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart;
    ret.push("@@ -" + oldStart + "," + hunk.oldLines + " +" + newStart + "," + hunk.newLines + " @@");
    for (const line of hunk.lines) {
      ret.push(line);
    }
  }
  return ret.join("\n") + "\n";
}
function createTwoFilesPatch(oldFileName, newFileName, oldStr, newStr, oldHeader, newHeader, options) {
  if (typeof options === "function") {
    options = { callback: options };
  }
  if (!(options === null || options === void 0 ? void 0 : options.callback)) {
    const patchObj = structuredPatch(oldFileName, newFileName, oldStr, newStr, oldHeader, newHeader, options);
    if (!patchObj) {
      return;
    }
    return formatPatch(patchObj, options === null || options === void 0 ? void 0 : options.headerOptions);
  } else {
    const { callback } = options;
    structuredPatch(oldFileName, newFileName, oldStr, newStr, oldHeader, newHeader, Object.assign(Object.assign({}, options), { callback: (patchObj) => {
      if (!patchObj) {
        callback(void 0);
      } else {
        callback(formatPatch(patchObj, options.headerOptions));
      }
    } }));
  }
}
function splitLines(text) {
  const hasTrailingNl = text.endsWith("\n");
  const result = text.split("\n").map((line) => line + "\n");
  if (hasTrailingNl) {
    result.pop();
  } else {
    result.push(result.pop().slice(0, -1));
  }
  return result;
}

// src/report/value-diff.ts
var context = 2;
var most = 30;
function valueDiff(before, after, width, whole = false) {
  const [a, b] = bothLines(before, after, width);
  const lines = difference(a, b, whole ? Number.MAX_SAFE_INTEGER : context);
  if (whole) return lines;
  const cut = inPairs(lines, width);
  if (cut.length <= most) return cut;
  return [...cut.slice(0, most), { mark: "~", text: `... ${cut.length - most} more lines` }];
}
function difference(a, b, context2) {
  const [before, after] = [a, b].map((lines) => lines.map((line) => `${line}
`).join(""));
  const patch = structuredPatch("", "", before, after, "", "", { context: context2, maxEditLength: 2e3 });
  if (!patch)
    return [
      ...a.map((text) => ({ mark: "-", text })),
      ...b.map((text) => ({ mark: "+", text }))
    ];
  return patch.hunks.flatMap((hunk, at) => [
    ...at > 0 || hunk.oldStart > 1 ? [{ mark: "~", text: "..." }] : [],
    ...hunk.lines.map((line) => ({
      mark: line.startsWith(" ") ? "|" : line[0],
      text: line.slice(1)
    }))
  ]);
}
function comparedSides(before, after) {
  const names = /* @__PURE__ */ new Map();
  walk(after, (one) => {
    if (isPlainObject(one))
      for (const name of Object.keys(one)) names.set(name, names.get(name) ?? names.size);
    return inside;
  });
  const place = (name) => names.get(name) ?? names.size;
  const ordered = (value) => {
    if (Array.isArray(value)) return value.map(ordered);
    if (!isPlainObject(value)) return value;
    const members = Object.entries(value).sort(([a2], [b2]) => place(a2) - place(b2) || byText(a2, b2));
    return Object.fromEntries(members.map(([name, item]) => [name, ordered(item)]));
  };
  const [a, b] = [scalarIn(before), scalarIn(after)];
  return a && b ? [a.is, b.is] : [ordered(before), ordered(after)];
}
function scalarIn(value) {
  if (!Array.isArray(value) || value.length !== 1) return void 0;
  const [item] = value;
  const only = isPlainObject(item) && Object.keys(item).join() === "value" ? item.value : item;
  return typeof only === "object" && !isHole(only) && !(only instanceof Sealed) ? void 0 : { is: only };
}
function linesOf(value, width) {
  if (value === void 0) return [];
  return typeof value === "string" ? textLines(value) : layOut(value, Math.min(width, 60), "plain", true);
}
var textLines = (text) => visible(text).replace(/\n$/, "").split("\n");
function bothLines(before, after, width) {
  const isOpen = (value) => typeof value === "string" && !value.endsWith("\n");
  const differ = typeof before === "string" && typeof after === "string" && isOpen(before) !== isOpen(after);
  const lines = (value) => [
    ...linesOf(value, width),
    ...differ && isOpen(value) ? ["\\ no line end here"] : []
  ];
  return [lines(before), lines(after)];
}
function inPairs(lines, width) {
  const result = lines.map((line) => ({ ...line }));
  for (let at = 0; at < result.length; ) {
    const removed = runOf("-", result, at);
    const added = runOf("+", result, at + removed.length);
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const [a, b] = [removed[i], added[i]];
      if (a && b) [a.text, b.text] = cutPair(a.text, b.text, width);
      else if (a) a.text = cutCounted(a.text, width);
      else if (b) b.text = cutCounted(b.text, width);
    }
    const same = result[at + removed.length + added.length];
    if (same) same.text = cutCounted(same.text, width);
    at += removed.length + added.length + 1;
  }
  return result;
}
function runOf(mark, lines, from) {
  const end = lines.findIndex((line, at) => at >= from && line.mark !== mark);
  return lines.slice(from, end < 0 ? void 0 : end);
}
function textDiff(before, after, names) {
  if (before === after) return "";
  const patch = createTwoFilesPatch(names.from, names.to, before, after, void 0, void 0, {
    context: 3
  });
  return patch.split("\n").slice(1).map(cleanLine).join("\n").trimEnd();
}

return{diffWordsWithSpace:diffWordsWithSpace,diffArrays:diffArrays,structuredPatch:structuredPatch,valueDiff:valueDiff,comparedSides:comparedSides,linesOf:linesOf,textLines:textLines,bothLines:bothLines,textDiff:textDiff};})();exports.part_KYSAZ52L=part_KYSAZ52L;
const part_KXVMPP7T=(()=>{const {
  comparedSides,
  textLines,
  valueDiff
}=part_KYSAZ52L;const {
  layOut,
  secretNames,
  show,
  showName
}=require("./part-88.cjs").part_RDEMRLSM;const {
  isHiddenField
}=require("./part-106.cjs").part_HLUFGGLM;const {
  unescapeName
}=require("./part-106.cjs").part_BACZRMMV;const {
  breakUp,
  cutCounted,
  displayWidth,
  wrap
}=require("./part-80.cjs").part_6VCGJOTY;const {
  isHole,
  isRef
}=require("./part-80.cjs").part_DGIOX4B4;;
;
;
;
;
;

// src/report/field-text.ts
var widestLabel = 24;
function fieldLines({ action, fields }, context, width) {
  const longest = Math.max(0, ...fields.map(({ path }) => displayWidth(showName(path, "plain"))));
  const column = Math.min(widestLabel, longest) + 1;
  const isWhole = action === "create" || action === "delete";
  return fields.flatMap((field) => {
    const name = `${showName(field.path, "plain")}:`;
    const label = `${name.padEnd(column)} `;
    const value = fieldValue(field, isWhole, context, { room: width - displayWidth(label), width });
    const isTooWide = value.beside && !context.verbose && displayWidth(label + value.beside.text) > width;
    const { beside, below } = isTooWide ? { beside: void 0, below: [indented(value.beside)] } : value;
    const first = beside ? label + beside.text : name;
    const lines = [
      beside ? label + beside.painted : name,
      ...below.flatMap((line) => context.verbose ? line.painted : brokenUp(line, width))
    ];
    const note = noteOf(field, context);
    if (note === void 0) return lines;
    const paint = paintOf(field, context);
    if (displayWidth(`${first}  (${note})`) <= width)
      return [`${lines[0]}  ${paint(`(${note})`)}`, ...lines.slice(1)];
    return [...lines, ...wrap(`(${note})`, width - 2).map((line) => `  ${paint(line)}`)];
  });
}
var indented = ({ text, painted }) => ({ text: `  ${text}`, painted: `  ${painted}` });
function brokenUp({ text, painted }, width) {
  const indent = " ".repeat(/^ *\S* /.exec(text)?.[0].length ?? 0);
  return displayWidth(text) <= width ? [painted] : breakUp(text, width, indent).map((part) => painted.replace(text, () => part));
}
function noteOf({ cause, replaces, after }, { notYet }) {
  const notes = [
    cause === "drift" && "changed outside: reverts",
    cause === "conflict" && "conflict: changed outside and here",
    cause === "released" && "no longer managed",
    cause === "recorded" && "already set",
    replaces && "cannot be changed in place",
    isRef(after) && notYet.has(after.$ref) && "known after apply"
  ];
  return notes.filter(Boolean).join("; ") || void 0;
}
var paintOf = ({ cause, replaces }, { style }) => cause === "conflict" || replaces ? style.alarm : cause === "drift" ? style.warn : style.quiet;
var most = 12;
var plain = (text) => ({ text, painted: text });
function fieldValue(field, isWhole, context, space) {
  const { before, after, cause } = field;
  if (isHiddenField(field)) return { beside: plain(secretText(field)), below: [] };
  const isOne = isWhole && (before === void 0 || after === void 0);
  if (isOne || cause === "recorded" || cause === "released")
    return oneValue(after === void 0 ? before : after, context, space);
  return twoValues(...comparedSides(before, after), context, space);
}
function oneValue(value, { style, verbose }, { room, width }) {
  const isText = typeof value === "string" && value.includes("\n");
  const line = show(value);
  if (!isText && displayWidth(line) <= room) return { beside: plain(line), below: [] };
  if (!isText && (typeof value !== "object" || value === null || isHole(value)))
    return besideOrBelow(line, verbose, { room, width });
  const lines = isText ? textLines(value).map((text) => `| ${text}`) : layOut(value, width - 2, "plain");
  const shown = verbose ? lines : lines.slice(0, most).map((text) => cutCounted(text, width - 2));
  const more = lines.length - shown.length;
  const below = shown.map((text) => plain(`  ${text}`));
  const rest = `  ... ${more} more ${more === 1 ? "line" : "lines"}`;
  return { below: more > 0 ? [...below, { text: rest, painted: style.quiet(rest) }] : below };
}
function besideOrBelow(line, verbose, { room, width }) {
  if (verbose) return { beside: plain(line), below: [] };
  const beside = cutCounted(line, room);
  return displayWidth(beside) <= room ? { beside: plain(beside), below: [] } : { below: [plain(`  ${cutCounted(line, width - 2)}`)] };
}
function twoValues(before, after, context, { room, width }) {
  const { style, verbose } = context;
  const [a, b] = [show(before), show(after)];
  if (a === b) return { beside: plain(`${a} (a secret in it changes)`), below: [] };
  const isText = [before, after].some((value) => typeof value === "string" && value.includes("\n"));
  const text = `${a} \u2192 ${b}`;
  if (!isText && displayWidth(text) <= room)
    return {
      beside: { text, painted: `${style.remove(a)} ${style.quiet("\u2192")} ${style.add(b)}` },
      below: []
    };
  const words = { "+": "new:", "-": "old:", "|": "same:", "~": "" };
  const paint = { "+": style.add, "-": style.remove, "|": style.quiet, "~": style.quiet };
  return {
    // Room for the longest sign, and the blanks around it.
    below: valueDiff(before, after, width - (style.unicode ? 4 : 8), verbose).map(({ mark, text: text2 }) => {
      const sign = style.unicode ? mark === "~" ? " " : mark : words[mark];
      const line = `  ${sign} ${text2}`.trimEnd();
      return { text: line, painted: paint[mark](line) };
    })
  };
}
function secretText({ before, after, cause }) {
  const names = secretNames(after).map((name) => ` ${name}`);
  if (cause === "unverified") return `(secret, not verified)${names.join("")}`;
  const isChanged = before !== void 0 && after !== void 0 && cause !== "recorded";
  return `${isChanged ? "(secret, changed)" : "(secret)"}${names.join("")}`;
}
function fieldsOf(change) {
  if (change.action !== "delete" || change.fields.length > 0) return change.fields;
  const entries = Object.entries(change.before?.fields ?? {});
  const names = namesIn(change);
  const telling = entries.filter(
    ([, value]) => value !== null && value !== "" && String(value) !== "" && !names.includes(value)
  );
  return telling.map(([path, before]) => ({ path, before, cause: "edit" }));
}
function namesIn({ address, parent }) {
  const own = parent === void 0 ? address : address.slice(parent.length + 1);
  return own.split(/[/@]/).slice(1).filter((name) => name !== "").map(unescapeName);
}

return{fieldLines:fieldLines,noteOf:noteOf,fieldValue:fieldValue,secretText:secretText,fieldsOf:fieldsOf};})();exports.part_KXVMPP7T=part_KXVMPP7T;
const part_D3ZWYSLF=(()=>{const {
  fieldsOf,
  secretText
}=part_KXVMPP7T;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;const {
  show
}=require("./part-88.cjs").part_RDEMRLSM;const {
  isHiddenSide
}=require("./part-106.cjs").part_HLUFGGLM;const {
  countOf,
  placeOf,
  readAs,
  wholeAddress,
  wholesOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  byText,
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  displayWidth,
  jsonValue
}=require("./part-80.cjs").part_6VCGJOTY;;
;
;
;
;
;
;

// src/report/pattern-for.ts
var few = 4;
var widest = 40;
function patternFor(members, all) {
  const inIt = new Set(members);
  const wholes = [...new Set(members.map(wholeAddress))];
  const isRight = (pattern) => {
    const matches = matcherOf([pattern]);
    return members.every(matches) && !all.some((address) => !inIt.has(address) && matches(address));
  };
  return [...candidates(wholes), ...candidates([...inIt])].find(isRight);
}
function candidates(addresses) {
  const split = addresses.map((address) => address.split("/"));
  const depth = split[0]?.length ?? 0;
  if (split.some(({ length }) => length !== depth)) return [];
  const forms = Array.from(
    { length: depth },
    (_, at) => formsOf([...new Set(split.map((names) => names[at]))])
  );
  const made = forms.reduce(
    (paths, options) => paths.flatMap((path) => options.map((option) => [...path, option])),
    [[]]
  );
  return made.map((path) => path.join("/"));
}
function formsOf(names) {
  if (names.length === 1) return names;
  const front = shared(names, (name) => name);
  const back = shared(
    names.map((name) => name.slice(front.length)),
    (name) => [...name].reverse().join("")
  );
  const end = [...back].reverse().join("");
  const listed = `${front}{${names.map((name) => name.slice(front.length, name.length - end.length)).sort().join(",")}}${end}`;
  const word = /^.*[-_.]/.exec(front)?.[0];
  const tail = /[-_.].*$/.exec(end)?.[0];
  return [
    .../* @__PURE__ */ new Set([
      ...names.length <= few && listed.length <= widest ? [listed] : [],
      ...word === void 0 ? [] : [`${word}*`],
      ...tail === void 0 ? [] : [`*${tail}`],
      ...word === void 0 || tail === void 0 ? [] : [`${word}*${tail}`],
      ...word === void 0 && tail === void 0 ? ["*"] : [],
      `${front}*`,
      `${front}*${end}`
    ])
  ];
}
function shared(texts, turned) {
  const [first = "", ...others] = texts.map(turned);
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

// src/report/fold-changes.ts
var least = 3;
var many = 8;
function foldChanges(changes, { sent, all, isFull = false }) {
  const wholes = wholesOf(changes);
  const signOf = ([change, ...others]) => {
    const places = [change, ...others].map(({ address }) => placeOf(address)).sort();
    return [change.kind, sent.has(change.address), places, readAs({ ...change, fields: [] })];
  };
  const told = ([change]) => fieldsOf(change).map((field) => [field.path, field.cause, field.replaces, shownOf(field)]);
  const ownName = ([change]) => change.parent === void 0 ? [] : wholeAddress(change.address).slice(change.parent.length);
  const paths = (whole) => fieldsOf(whole[0]).map(({ path }) => path);
  const passes = [
    { alike: (whole) => [signOf(whole), ownName(whole), told(whole)], isEntry: isLarge },
    {
      alike: (whole) => [signOf(whole), ownName(whole), paths(whole)],
      isEntry: (group) => isLarge(group) && isMade(group) && group[0][0].parent !== void 0
    },
    {
      alike: (whole) => [signOf(whole), told(whole)],
      isEntry: (group) => isLarge(group) && (!isMade(group) || isSpread(group))
    },
    {
      alike: (whole) => [signOf(whole), paths(whole)],
      isEntry: (group) => isMade(group) && isSpread(group) && group.length >= many
    }
  ];
  let single = wholes;
  const folded = [];
  for (const { alike, isEntry } of isFull ? [] : passes) {
    const groups = [...groupBy(single, (whole) => JSON.stringify(alike(whole))).values()].filter(isEntry);
    folded.push(...groups);
    const taken = new Set(groups.flat());
    single = single.filter((whole) => !taken.has(whole));
  }
  const place = new Map(changes.map(({ address }, at) => [address, at]));
  return [...folded, ...single.map((whole) => [whole])].map((group) => entryOf(group, all)).sort((a, b) => place.get(a.change.address) - place.get(b.change.address));
}
var isLarge = (group) => group.length >= least;
var isMade = ([whole]) => whole[0].action === "create" && whole[0].grade === "safe";
var isSpread = (group) => {
  const parents = new Set(group.map(([change]) => change.parent));
  return parents.has(void 0) || parents.size >= least;
};
function entryOf(wholes, all) {
  const [change] = wholes[0];
  if (wholes.length === 1) return { wholes, change, varied: /* @__PURE__ */ new Set() };
  const pattern = patternFor(
    wholes.flat().map(({ address }) => address),
    all
  );
  const varied = fieldsOf(change).filter((field) => {
    const differs = (other) => other.path === field.path && shownOf(other) !== shownOf(field);
    return wholes.some(([one]) => fieldsOf(one).some(differs));
  });
  return {
    wholes,
    change,
    varied: new Set(varied.map(({ path }) => path)),
    ...pattern === void 0 ? {} : { pattern }
  };
}
var shownOf = (field) => JSON.stringify(
  [field.before, field.after].map((value) => isHiddenSide(field, value) ? "(secret)" : jsonValue(value))
);
function splitAdopted(changes, { sent, isFull = false }) {
  const isPlain = ({ action, address, reason, fields, grade, outside }) => action === "adopt" && !sent.has(address) && reason === void 0 && !outside && grade === "safe" && fields.every(({ cause }) => cause === "recorded");
  const kinds = [...groupBy(isFull ? [] : changes.filter(isPlain), ({ kind }) => kind)].map(([kind, of]) => ({ kind, of, number: countOf(of) })).filter(({ number }) => number >= least);
  const taken = new Set(kinds.flatMap(({ of }) => of));
  return {
    adopted: kinds.map(({ kind, number }) => ({ kind, number })),
    others: changes.filter((change) => !taken.has(change))
  };
}
var adoptedText = ({ kind, number }) => `${number} ${plural(kind)} adopted as they are`;
function plural(kind) {
  if (/[^aeiou]y$/.test(kind)) return `${kind.slice(0, -1)}ies`;
  if (/(?:ss|as|x|ch)$/.test(kind)) return `${kind}es`;
  return kind.endsWith("s") ? kind : `${kind}s`;
}
var fewValues = 3;
function variedText({ wholes }, path, room = 100) {
  const values = wholes.map(([one]) => {
    const field = fieldsOf(one).find((other) => other.path === path);
    const value = field.after === void 0 ? field.before : field.after;
    return isHiddenSide(field, value) ? secretText(field) : show(value);
  });
  const different = [...new Set(values)];
  const told = (number) => {
    const more = different.length - number;
    return `${different.slice(0, number).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  };
  const texts = Array.from(
    { length: Math.min(fewValues, different.length) },
    (_, at) => told(at + 1)
  ).reverse();
  return texts.find((text) => displayWidth(text) <= room) ?? `${different.length} different values`;
}
var placesOf = (whole) => whole.length === 1 ? [] : whole.map(({ address }) => placeOf(address)).sort(byTarget);
var targets = ["production", "preview", "development"];
var rank = (place) => targets.indexOf(place) + 1 || 4;
var byTarget = (a, b) => rank(a) - rank(b) || byText(a, b);
var nameOf = ([change, ...others]) => others.length === 0 ? change.address : wholeAddress(change.address);
var named = 3;
function namesOf({ wholes, pattern }) {
  const places = placesOf(wholes[0]);
  if (wholes.length === 1) return { name: nameOf(wholes[0]), places };
  if (pattern !== void 0)
    return { count: wholes.length, name: pattern, places: pattern === wholeAddress(pattern) ? places : [] };
  const shown = wholes.slice(0, named).map(nameOf);
  const more = wholes.length - shown.length;
  return {
    name: more > 0 ? `${shown.join(", ")} and ${more} more` : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`,
    places
  };
}
function rootOf({ wholes }) {
  const roots = new Set(wholes.flat().map(({ address }) => address.split("/").slice(0, 2).join("/")));
  return roots.size === 1 ? [...roots][0] : void 0;
}

return{foldChanges:foldChanges,splitAdopted:splitAdopted,adoptedText:adoptedText,variedText:variedText,placesOf:placesOf,nameOf:nameOf,namesOf:namesOf,rootOf:rootOf};})();exports.part_D3ZWYSLF=part_D3ZWYSLF;
const part_WVTPVLPE=(()=>{const {
  nameOf
}=part_D3ZWYSLF;const {
  plainly
}=require("./part-80.cjs").part_LGUCBGM4;const {
  wholesOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  count,
  durationText
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cut
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine,
  errorLines
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;
;
;
;
;

// src/report/events-text.ts
function eventWriter(plan, { style }) {
  const steps = stepsOf(plan);
  const all = sizeOf(new Set(steps.values()));
  const begun = /* @__PURE__ */ new Set();
  const ended = /* @__PURE__ */ new Set();
  const states = /* @__PURE__ */ new Map();
  let done = 0;
  const isNew = (seen, step) => !seen.has(step) && seen.add(step) !== void 0;
  return (event) => {
    if (event.type === "waiting") return style.warn(waitingText(event));
    const step = steps.get(event.operation.id);
    states.set(event.operation.id, stateAfter[event.type]);
    const label = `${step.label}:`;
    switch (event.type) {
      case "started":
        return isNew(begun, step) ? style.quiet(`${label} ${step.doing}...`) : "";
      case "succeeded": {
        if (stateOf(step, states) !== "done" || !isNew(ended, step)) return "";
        done += step.size;
        const place = all > 1 ? ` ${style.quiet(`(${done} of ${all})`)}` : "";
        return `${label} ${style.add(step.done)}${place}`;
      }
      case "skipped":
        if (!isNew(ended, step)) return "";
        return `${label} ${style.warn(`skipped because ${becauseText(event.because)}`)}`;
      case "left":
        return `${label} ${style.warn("left because")} ${usedUpText(event.rateLimit)}`;
      case "failed": {
        ended.add(step);
        return `${label} ${failureText(event.error, style)}`;
      }
    }
  };
}
function failureText(error, style) {
  const { message, hint } = errorLines(error);
  const hints = hint.map((line, at) => at === 0 ? `-> ${line}` : line);
  return [
    `${style.alarm("failed:")} ${message[0]}`,
    ...[...message.slice(1), ...hints].map((line) => `  ${line}`)
  ].join("\n");
}
var usedUpText = ({ bucket }) => `the rate limit of ${cleanLine(bucket)} is used up`;
function usedUpFor(same, now) {
  const wait = Math.max(...same.map(({ rateLimit }) => rateLimit.until)) - now;
  return `${usedUpText(same[0].rateLimit)}${wait > 0 ? ` for ${durationText(wait)}` : ""}`;
}
var waitingText = ({ seconds, reason, again }) => `${again ? `Retrying in ${Math.ceil(seconds)}s` : `Waiting ${Math.ceil(seconds)}s`}: ${cleanLine(reason)}`;
var becauseText = (because) => because.includes("/") ? `${cleanLine(because)} failed` : cleanLine(because);
function stepsOf(plan) {
  const names = /* @__PURE__ */ new Map();
  for (const whole of wholesOf(plan.changes)) {
    const name = nameOf(whole);
    for (const { address } of whole) names.set(address, name);
  }
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const steps = /* @__PURE__ */ new Map();
  const byOperation = /* @__PURE__ */ new Map();
  const counted = /* @__PURE__ */ new Set();
  for (const operation of plan.operations) {
    const own = new Set(operation.changes.map((address) => names.get(address) ?? address));
    const label = labelOf(operation, own);
    const step = steps.get(label) ?? { label, ...verbOf(operation, actions), operations: [], size: 0 };
    step.operations.push(operation);
    step.size += [...own].filter((name) => !counted.has(name)).length;
    for (const name of own) counted.add(name);
    steps.set(label, step);
    byOperation.set(operation.id, step);
  }
  return byOperation;
}
function labelOf({ id }, names) {
  const [first = id, ...more] = names;
  return cleanLine(first) + (more.length > 0 ? ` and ${more.length} more` : "");
}
var sizeOf = (steps) => {
  let size = 0;
  for (const step of steps) size += step.size;
  return size;
};
var verbs = {
  create: ["creating", "created"],
  update: ["updating", "updated"],
  adopt: ["updating", "updated"],
  replace: ["replacing", "replaced"],
  delete: ["deleting", "deleted"],
  move: ["moving", "moved"]
};
var several = ["changing", "changed"];
function verbOf({ changes }, actions) {
  const found = new Set(changes.map((address) => verbs[actions.get(address) ?? "noop"] ?? several));
  const [doing, done] = found.size === 1 ? [...found][0] : several;
  return { doing, done };
}
var stateAfter = {
  started: "running",
  succeeded: "done",
  failed: "failed",
  skipped: "skipped",
  left: "waiting"
};
function stateOf({ operations }, states) {
  const all = operations.map(({ id }) => states.get(id) ?? "waiting");
  const found = ["failed", "skipped", "running"].find((state) => all.includes(state));
  if (found) return found;
  return all.every((state) => state === "done") ? "done" : "waiting";
}
var startProgress = (plan) => ({ steps: stepsOf(plan), states: /* @__PURE__ */ new Map() });
function reduceProgress({ steps, states }, event) {
  return event.type === "waiting" ? { steps, states, waiting: waitingText(event) } : { steps, states: new Map(states).set(event.operation.id, stateAfter[event.type]) };
}
var most = 8;
function renderProgress(state, style) {
  const steps = groupBy(new Set(state.steps.values()), (step) => stateOf(step, state.states));
  const number = (of) => sizeOf(steps.get(of) ?? []);
  const running = steps.get("running") ?? [];
  const all = sizeOf([...steps.values()].flat());
  const lines = [
    ...running.slice(0, most).map(({ doing, label }) => `${style.quiet(doing.padEnd(9))} ${cut(label, style.width - 10)}`),
    ...running.length > most ? [style.quiet(`... and ${running.length - most} more`)] : [],
    ...state.waiting === void 0 ? [] : [style.warn(cut(state.waiting, style.width))],
    [
      style.strong(`${number("done")} of ${count(all, "change")} done`),
      ...number("failed") > 0 ? [style.alarm(`${number("failed")} failed`)] : [],
      ...number("skipped") > 0 ? [style.warn(`${number("skipped")} skipped`)] : [],
      `${number("running") + number("waiting")} left`
    ].join(", ")
  ];
  return plainly(lines.join("\n"), style);
}

return{eventWriter:eventWriter,usedUpText:usedUpText,usedUpFor:usedUpFor,waitingText:waitingText,becauseText:becauseText,startProgress:startProgress,reduceProgress:reduceProgress,renderProgress:renderProgress};})();exports.part_WVTPVLPE=part_WVTPVLPE;
const part_5A6JLBTE=(()=>{const {
  nameOf
}=part_D3ZWYSLF;const {
  conflictText,
  fieldsWith,
  guardsTexts,
  renewedTexts,
  unmanagedTexts,
  waitingTexts,
  waitingTitle
}=require("./part-88.cjs").part_Y562VKV4;const {
  followingTexts
}=require("./part-88.cjs").part_GVLOUSOT;const {
  asksForNothing
}=require("./part-80.cjs").part_YAMT22MG;const {
  durationOf,
  readsText,
  waitLines
}=require("./part-88.cjs").part_M4ULKWWU;const {
  changedText,
  summaryOf
}=require("./part-106.cjs").part_LKZTNYVU;const {
  wholesOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  count,
  listed
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  fold,
  sumLines,
  wrap
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine,
  errorLines
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;
;
;
;
;
;
;
;
;

// src/report/plan-end.ts
function planEnd(plan, context) {
  return [
    waitingLines(plan, context),
    unmanaged(plan, context),
    renewed(plan, context),
    remarks(plan, context),
    undoLines(plan, context),
    guardsTexts(plan).flatMap((text) => wrap(text, context.style.width).map(context.style.quiet)),
    incomplete(plan, context),
    lastLines(plan, context)
  ].filter((lines) => lines.length > 0);
}
var most = 20;
function waitingLines(plan, { style, verbose }) {
  const texts = waitingTexts(plan);
  if (texts.length === 0) return [];
  const shown = verbose ? texts : texts.slice(0, most);
  return [
    `${waitingTitle}:`,
    ...shown.flatMap(({ name, text }) => fold(`  ${name}: ${text}`, style.prose, "      ")),
    ...shown.length < texts.length ? [`  ... and ${texts.length - shown.length} more`] : []
  ].map(style.quiet);
}
function unmanaged(plan, { style, verbose }) {
  const counts = unmanagedTexts(plan, cleanLine);
  if (counts.length === 0) return [];
  const lines = wrap(`Not managed here, left alone: ${counts.join(", ")}.`, style.width);
  const addresses = verbose ? plan.unmanaged.map(({ address }) => `  ${cleanLine(address)}`).sort() : [];
  return [...lines, ...addresses].map(style.quiet);
}
function renewed(plan, { style, verbose }) {
  const lines = renewedTexts(plan).flatMap((text) => wrap(text, style.width));
  const names = wholesOf(plan.changes.filter(({ renews }) => verbose && renews)).map(nameOf);
  return [...lines, ...names.map((name) => `  ${cleanLine(name)}`).sort()].map(style.quiet);
}
function remarks({ changes, diagnostics }, { style }) {
  const [unknown, unverified] = [fieldsWith(changes, "unknown"), secretsUnverified(changes)];
  const isRefused = diagnostics.some(
    ({ code, severity }) => code === "guard/conflict" && severity === "error"
  );
  const told = (text, paint) => wrap(text, style.width).map(paint);
  return [
    ...isRefused ? [] : conflictText(changes).flatMap((text) => told(`${text} ${keepText(changes)}`, style.warn)),
    ...unknown > 0 ? told(
      `For ${count(unknown, "field")} it is unclear whether the change was made here or outside: what was last applied is unknown.`,
      style.quiet
    ) : [],
    ...unverified > 0 ? told(
      `${count(unverified, "secret")} cannot be read back and compared; sent again because of --send-unverified.`,
      style.quiet
    ) : []
  ];
}
function keepText(changes) {
  const [first, ...others] = wholesOf(
    changes.filter(({ fields }) => fields.some(({ cause }) => cause === "conflict"))
  );
  const address = others.length === 0 ? `'${cleanLine(nameOf(first))}'` : "ADDRESS";
  return `To keep what was changed outside, run \`trueup accept ${address}\`.`;
}
var fewNames = 3;
function undoLines({ changes }, { style, verbose }) {
  const told = (can, words) => {
    const wholes = wholesOf(
      changes.filter(({ undo, grade }) => undo?.can === can && grade !== "irreversible")
    );
    if (wholes.length === 0) return [];
    const names = wholes.map((whole) => cleanLine(nameOf(whole)));
    const more = verbose ? 0 : names.length - fewNames;
    const shown = names.slice(0, verbose ? names.length : fewNames).join(", ");
    return wrap(`${words}: ${shown}${more > 0 ? ` and ${more} more` : ""}.`, style.width).map(style.quiet);
  };
  return [
    ...told("but for a value", "A later undo cannot restore every value of"),
    ...told("no", "A later undo cannot restore")
  ];
}
var secretsUnverified = (changes) => wholesOf(changes).flatMap(([change]) => change.fields).filter(({ cause }) => cause === "unverified").length;
function incomplete({ complete, diagnostics }, { style }) {
  if (complete) return [];
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const causes = errors.length > 0 ? errors : diagnostics;
  return [
    // Whoever goes on with what could be read gets no error for the rest.
    ...wrap(
      errors.length > 0 || causes.length === 0 ? "This plan is incomplete, so the exit code is 1:" : "This plan is incomplete:",
      style.width
    ).map(style.alarm),
    ...causes.flatMap(
      (cause) => errorLines(cause).message.flatMap(
        (line, at) => at === 0 ? fold(`  - ${line}`, style.prose, "    ") : fold(`  ${line}`, style.prose, "  | ")
      )
    ),
    ...causes.length === 0 ? fold("  - not everything could be read or planned", style.width, "    ") : []
  ];
}
function lastLines(plan, { style, pace }) {
  const summary = summaryOf(plan);
  const reads = readsText(plan);
  if (asksForNothing(plan) && plan.complete)
    return [...reads.map(style.quiet), ...wrap(nothingText(plan), style.width).map(style.strong)];
  const methods = groupBy(
    plan.operations.flatMap(({ requests: requests2 }) => requests2),
    ({ endpoint }) => endpoint.split(" ", 1)[0]
  );
  const due = (plan.actions ?? []).filter(({ state: state2 }) => state2 === "due");
  const requests = [...methods.values()].flat().length + due.length;
  const sorts = listed([...methods].map(([method, { length }]) => `${length} ${method}`).sort(byMethod));
  const state = plan.complete ? "" : " Incomplete.";
  const toSend = `To send: ${sorts} in ${count(plan.operations.length, "operation")}${durationOf(plan, pace)}.`;
  const counts = [...reads, ...plan.operations.length > 0 ? [toSend] : []].join(" ");
  return [
    ...counts === "" ? [] : wrap(counts, style.width).map(style.quiet),
    ...waitLines(plan, pace, style.width).map(style.warn),
    ...sumLines(
      `Plan: ${[summaryWords(summary), ...followingTexts(plan)].join(", ")}. ${count(requests, "request")}.${state}`,
      style
    ).map(style.strong)
  ];
}
function nothingText({ diagnostics, partial }) {
  if (diagnostics.some(({ severity }) => severity === "error"))
    return "Nothing is planned until the errors are fixed.";
  return partial ? "No changes in the selected part." : "No changes. The account matches the configuration.";
}
var byMethod = (a, b) => a.replace(/^\d+ /, "") < b.replace(/^\d+ /, "") ? -1 : 1;
function summaryWords(summary) {
  const parts = ["create", "adopt", "update", "replace", "move", "release", "delete"].filter(
    (action) => summary[action] > 0 || ["create", "adopt", "update", "delete"].includes(action)
  );
  const also = (action) => action === "adopt" ? changedText(summary.adoptAndUpdate) : "";
  return parts.map((action) => `${summary[action]} to ${action}${also(action)}`).join(", ");
}

return{planEnd:planEnd,waitingLines:waitingLines,summaryWords:summaryWords};})();exports.part_5A6JLBTE=part_5A6JLBTE;
const part_2FV4FG47=(()=>{const {
  nameOf,
  namesOf,
  variedText
}=part_D3ZWYSLF;const {
  fieldLines,
  fieldsOf
}=part_KXVMPP7T;const {
  changedByTexts
}=require("./part-88.cjs").part_Y562VKV4;const {
  createsFirst
}=require("./part-88.cjs").part_EKMGLMMC;const {
  isDrift,
  putsBack
}=require("./part-80.cjs").part_YAMT22MG;const {
  requestsOf
}=require("./part-88.cjs").part_M4ULKWWU;const {
  carriersIn
}=require("./part-106.cjs").part_LKZTNYVU;const {
  showName
}=require("./part-88.cjs").part_RDEMRLSM;const {
  makesObject
}=require("./part-106.cjs").part_HLUFGGLM;const {
  displayWidth,
  flow,
  wrap
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;
;
;
;
;
;
;
;
;

// src/report/plan-context.ts
function planContext(plan, { style, requests, verbose = false, pace }) {
  const carriers = carriersIn(plan);
  const fresh = plan.changes.filter(makesObject);
  const notYet = new Set(fresh.map(({ address }) => address));
  const all = plan.changes.map(({ address }) => address);
  const changedBy = new Map((plan.changedBy ?? []).map((one) => [one.address, one]));
  return { style, requests, verbose, pace, changedBy, carriers, notYet, all, shown: /* @__PURE__ */ new Map() };
}
var markers = {
  create: { sign: "+", word: "create", means: "create", paint: "add" },
  update: { sign: "~", word: "update", means: "update", paint: "change" },
  move: { sign: ">", word: "move", means: "move", paint: "move" },
  adopt: { sign: "=", word: "adopt", means: "adopt (exists already)", paint: "adopt" },
  adoptAndUpdate: { sign: "=~", word: "adopt and update", means: "adopt and update", paint: "change" },
  release: { sign: ".", word: "stop managing", means: "stop managing (not deleted)", paint: "quiet" },
  replace: { sign: "-/+", word: "replace", means: "delete, then recreate", paint: "remove" },
  createFirst: {
    sign: "+/-",
    word: "replace",
    means: "create first, then delete",
    paint: "remove"
  },
  delete: { sign: "-", word: "delete", means: "delete", paint: "remove" },
  forget: { sign: ".", word: "stop managing", means: "stop managing (not deleted)", paint: "quiet" },
  noop: { sign: " ", word: "unchanged", means: "up to date", paint: "quiet" }
};
function markerOf(change, { carriers }) {
  const { action, address } = change;
  const operations = carriers.get(address) ?? [];
  if (action === "adopt" && operations.length > 0) return markers.adoptAndUpdate;
  return markers[action === "replace" && createsFirst(operations) ? "createFirst" : action];
}
function legend(changes, context, width) {
  if (!context.style.unicode) return [];
  const used = new Set(changes.map((change) => markerOf(change, context).sign));
  const items = Object.values(markers).filter(({ sign }) => used.delete(sign));
  return flow(
    items.map(({ sign, means }) => `${sign} ${means}`),
    "   ",
    width
  );
}

// src/report/plan-sections.ts
var sorts = [
  {
    name: "irreversible",
    label: "irreversible",
    title: "IRREVERSIBLE: review each of these",
    means: "Cannot be undone: lost data, or an id that others use, does not come back.",
    urgent: true,
    paint: "alarm",
    has: ({ grade, exclusive }) => !exclusive && grade === "irreversible"
  },
  {
    name: "destructive",
    label: "destructive",
    title: "DESTRUCTIVE: review each of these",
    means: "Objects are deleted.",
    urgent: true,
    paint: "alarm",
    has: ({ grade, exclusive }) => !exclusive && grade === "destructive"
  },
  {
    name: "exclusive",
    label: "deleted because of $exclusive",
    title: "Not in the configuration, deleted because of $exclusive",
    means: "These were not created here; `$exclusive` deletes everything undeclared.",
    urgent: true,
    paint: "alarm",
    has: ({ exclusive }) => exclusive === true
  },
  {
    name: "conflict",
    label: "in conflict",
    title: "CONFLICT: changed both outside and here",
    means: "What somebody changed outside is overwritten.",
    urgent: true,
    paint: "alarm",
    has: ({ fields }) => fields.some(({ cause }) => cause === "conflict")
  },
  {
    name: "disruptive",
    label: "disruptive",
    title: "Disruptive",
    means: "Something is briefly absent or interrupted.",
    urgent: true,
    paint: "warn",
    has: ({ grade }) => grade === "disruptive"
  },
  {
    name: "drift",
    label: "drift",
    title: "Drift: changed outside, will be reverted",
    means: "Somebody changed these outside since the last apply.",
    urgent: true,
    paint: "warn",
    has: (change, isSent) => isSent && isDrift(change)
  },
  {
    name: "changes",
    label: "ordinary",
    title: "Changes",
    means: "Changes from the configuration; nothing is lost or interrupted.",
    usual: true,
    urgent: false,
    paint: "strong",
    has: (_, isSent) => isSent
  },
  {
    name: "recorded",
    label: "recorded only",
    title: "Recorded only: nothing is sent",
    means: "The account is up to date; only the ledger changes.",
    usual: true,
    urgent: false,
    paint: "strong",
    has: () => true
  }
];
function sectionsOf(changes, sent) {
  const sections = sorts.map(({ has: _, ...sort }) => ({ ...sort, changes: [] }));
  for (const change of changes) {
    if (change.action === "noop" || change.renews) continue;
    const isSent = sent.has(change.address);
    sections[sorts.findIndex(({ has }) => has(change, isSent))].changes.push(change);
  }
  return sections.filter((section) => section.changes.length > 0);
}

// src/report/change-text.ts
var indent = " ".repeat(6);
var enough = 4;
function changeLines(entry, context) {
  const [head, body] = [headOf(entry, context), bodyLines(entry, context)];
  const { style } = context;
  const short = [head.lead, head.where, ...body].filter(Boolean).join("  ");
  const isShort = isMadeOften(entry) && head.rest.length === 0 && body.length === 1 && displayWidth(short) <= style.width;
  const lines = isShort ? [[head.painted, ...[head.where].filter(Boolean).map(style.quiet), ...body].join("  ")] : [...headLines(entry, head, context), ...body.map((line) => indent + line)];
  const requests = context.requests ? requestsOf(
    entry.wholes.flat().map(({ address }) => address),
    context
  ) : [];
  return [...lines, ...requests.map((line) => indent + line)];
}
var isMadeOften = ({ wholes, change }) => wholes.length > 1 && change.action === "create";
function bodyLines(entry, context) {
  const { style } = context;
  const { change, varied } = entry;
  const width = style.width - indent.length;
  const fields = fieldsOf(change).filter(({ path }) => !varied.has(path));
  const shown = change.action === "delete" && !context.verbose ? fields.slice(0, enough) : fields;
  const more = fields.length - shown.length;
  const same = shown.length > 0 ? fieldLines({ action: change.action, fields: shown }, context, width) : [];
  const others = [...varied].map((path) => {
    const label = `${showName(path, "plain")}: `;
    return label + variedText(entry, path, width - displayWidth(label));
  });
  const comments = commentLines(change, context, width);
  const values = [...same, ...others];
  const line = values.map((text) => text.replace(/: +/, ": ")).join("   ");
  const isOneLine = isMadeOften(entry) && values.length > 0 && displayWidth(line) <= width;
  return [
    ...comments,
    ...isOneLine ? [line] : values,
    ...more > 0 ? [style.quiet(`... ${more} more ${more === 1 ? "field" : "fields"}`)] : []
  ];
}
function headOf(entry, context) {
  const { style } = context;
  const { change, wholes, pattern } = entry;
  const { sign, word, paint } = markerOf(change, context);
  const mark = style.unicode ? sign.padEnd(3) : word;
  const { count, name, places } = namesOf(entry);
  const room = style.width - indent.length;
  const isNamed = wholes.length > 1 && (change.grade === "destructive" || change.grade === "irreversible");
  const all = isNamed ? wholes.map((whole) => cleanLine(nameOf(whole))) : [];
  const named = isNamed && pattern === void 0 ? `${wholes.length} x ${cleanLine(change.kind)}` : `${count === void 0 ? "" : `${count} x `}${cleanLine(name)}`;
  const [first = "", ...rest] = wrap(named, room);
  return {
    lead: `  ${mark} ${first}`,
    painted: `  ${style[paint](mark)} ${style.strong(first)}`,
    rest,
    where: places.length > 0 ? `[${places.map(cleanLine).join(", ")}]` : "",
    all: flow(all, ", ", room)
  };
}
function headLines({ change, wholes }, { lead, painted, rest, where, all }, { style }) {
  const files = new Set(wholes.flat().map(({ at }) => at && `${cleanLine(at.file)}:${at.line}`));
  const [file] = files;
  const kind = lead.endsWith(` x ${cleanLine(change.kind)}`) ? "" : cleanLine(change.kind);
  const abouts = [where, kind, files.size === 1 && file || ""].filter(Boolean);
  const about = abouts.join("  ");
  const isOne = rest.length === 0 && displayWidth(lead) + 2 + displayWidth(about) <= style.width;
  return [
    ...isOne ? [`${painted}  ${style.quiet(about)}`] : [
      painted,
      ...rest.map((line) => indent + style.strong(line)),
      ...flow(abouts, "  ", style.width - indent.length).map((line) => indent + style.quiet(line))
    ],
    ...all.map((line) => indent + line)
  ];
}
function commentLines(change, { style, changedBy }, width) {
  const comment = (text, paint2) => wrap(cleanLine(text), width - 2).map((line) => paint2(`# ${line}`));
  const paint = {
    safe: style.quiet,
    disruptive: style.warn,
    destructive: style.alarm,
    irreversible: style.alarm
  };
  return [
    ...reasonOf(change).flatMap((reason) => comment(reason, style.quiet)),
    ...changedByTexts(changedBy.get(change.address)).flatMap((text) => comment(text, style.warn)),
    ...change.grade === "safe" ? [] : comment([change.grade, change.gradeReason].filter(Boolean).join(": "), paint[change.grade]),
    ...moveTexts(change).flatMap((text) => comment(text, style.quiet))
  ];
}
var moveTexts = ({ moves, anew, action }) => [
  ...moves && action !== "move" && action !== "create" ? ["also changes its position in the list"] : [],
  ...anew ? [
    "inserted as a new copy before the old one is removed, so its id changes: in place it would not be safe"
  ] : []
];
function reasonOf(change) {
  const { reason, action, fields } = change;
  const isTold = action !== "move" && putsBack(change) || action === "update" && !change.outside && fields.some(({ cause }) => cause === "conflict");
  return reason && !isTold ? [reason] : [];
}

return{planContext:planContext,markerOf:markerOf,legend:legend,changeLines:changeLines,moveTexts:moveTexts,reasonOf:reasonOf,sectionsOf:sectionsOf};})();exports.part_2FV4FG47=part_2FV4FG47;
