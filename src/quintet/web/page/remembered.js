// What this browser keeps; one that stores nothing remembers until the page is closed.

const meanwhile = new Map();

export function recalled(key) {
  try {
    return localStorage.getItem(key) ?? meanwhile.get(key) ?? null;
  } catch {
    return meanwhile.get(key) ?? null;
  }
}

export function remember(key, text) {
  meanwhile.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // no room, or not allowed
  }
}

// The keys that begin so.
export function recalledNames(prefix) {
  const names = new Set(meanwhile.keys());
  try {
    Object.keys(localStorage).forEach((name) => names.add(name));
  } catch {
    // then only what is remembered meanwhile
  }
  return [...names].filter((name) => name.startsWith(prefix));
}

export function forget(key) {
  meanwhile.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // then it was not kept either
  }
}
