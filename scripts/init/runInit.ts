export function runInit(): void {}
