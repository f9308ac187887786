"""Reads the public headers: declarations for cffi, and names, types and documentation for Python.

The headers are regular (scripts/generate-headers and clang-format see to that): a declaration is a
typedef of a struct, an enum or a function, a struct's name, or a function after IMPINGE_API; its
comment stands before it, or after it as /**<. What is not so is an error here, and not left out.
"""
import re
from pathlib import Path

INCLUDE = re.compile(r'#\s*include\s+<(impinge/\w+\.h)>')
DEFINE = re.compile(r'#\s*define\s+(\w+)(\(.*?\))?\s*(.*)', re.S)
COMMENT = re.compile(r'/\*\*?<?.*?\*/', re.S)
# Macros that the headers define for themselves, and not for their users.
OWN = {'IMPINGE_API', 'IMPINGE_ALL_ZERO'}


def text_of(comment):
    """The words of a comment, without its stars."""
    body = re.sub(r'^/\*+<?|\*+/$', '', comment)
    lines = [re.sub(r'^\s*\*?(?: |$)', '', line).rstrip() for line in body.split('\n')]
    return '\n'.join(lines).strip('\n').strip()


def flat(text):
    return ' '.join(text.split())


class Headers:
    """All that is declared by <impinge/impinge.h>, in order."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.seen = []
        self.declarations = []  # for cffi
        self.constants = {}  # name: documentation
        self.enums = {}  # name: (documentation, [(member, documentation)], whether they are bits)
        self.structs = {}  # name: (documentation, [(member, type, whether const, documentation)])
        self.functions = {}  # name: (documentation, type, [(parameter, type, whether const)])
        self.read('impinge/impinge.h')

    def read(self, name):
        if name in self.seen:
            return
        self.seen.append(name)
        text = (self.folder / name).read_text()
        # Skip lines that are for C++ only, and those that choose between C++ and C.
        text = re.sub(r'^#ifdef __cplusplus$.*?^#endif$', '', text, flags=re.S | re.M)
        text = re.sub(r'^#if defined __GNUC__$.*?^#endif$', '', text, flags=re.S | re.M)
        pieces = re.split(r'(^#(?:[^\n]*\\\n)*[^\n]*$)', text, flags=re.M)
        comment = ''
        for piece in pieces:
            if not piece.startswith('#'):
                comment = self.scan(piece, comment)
                continue
            include = INCLUDE.match(piece)
            if include:
                self.read(include[1])
            elif piece.startswith('#define'):
                self.define(piece, comment)
            comment = ''

    def define(self, line, comment):
        name, arguments, value = DEFINE.match(line.replace('\\\n', ' ')).groups()
        value = COMMENT.sub('', value).strip()
        if arguments or not value or name in OWN:
            return
        self.constants[name] = flat(comment)
        if '.' in value and not 'IMPINGE_' in value:
            self.declarations.append(f'static const double {name};')
        elif re.fullmatch(r'\d+', value):
            self.declarations.append(f'#define {name} {value}')
        else:
            self.declarations.append(f'#define {name} ...')

    def scan(self, text, comment):
        """Declarations between two lines of the preprocessor; returns the comment that is left."""
        while True:
            text = text.lstrip()
            found = COMMENT.match(text)
            if found:
                comment = text_of(found[0])
                text = text[found.end():]
            elif not text:
                return comment
            else:
                end = self.end(text)
                self.declare(text[:end], comment)
                comment = ''
                text = text[end:]

    @staticmethod
    def end(text):
        """The end of a declaration: behind its semicolon, or a function's closing brace."""
        depth = 0
        at = 0
        while at < len(text):
            found = COMMENT.match(text, at)
            if found:
                at = found.end()
                continue
            depth += {'{': 1, '}': -1}.get(text[at], 0)
            at += 1
            if depth == 0 and (text[at - 1] == ';' or
                               text[at - 1] == '}' and text.startswith('static inline')):
                return at
        raise ValueError('no end of: ' + text)

    def declare(self, text, comment):
        if text.startswith('static inline'):
            return
        body = re.search(r'\{(.*)\}', text, re.S)
        plain = flat(COMMENT.sub(' ', text)).replace('IMPINGE_API ', '')
        self.declarations.append(plain)
        if re.match(r'typedef enum|enum', plain):
            name = re.search(r'(\w*) ?;$', plain)[1]
            members = [(re.match(r'\w+', code)[0], doc) for code, doc in self.members(body[1], ',')]
            self.enums[name or members[0][0]] = (comment, members, '<<' in body[1])
        elif plain.startswith('typedef struct'):
            name = re.search(r'(\w+);$', plain)[1]
            fields = []
            for code, doc in self.members(body[1], ';'):
                fields += [field + (doc,) for field in self.names(code)]
            self.structs[name] = (comment, fields)
        elif re.match(r'struct \w+;$', plain) or re.match(r'typedef void \w+\(', plain):
            pass
        else:
            found = re.fullmatch(r'(?P<type>.+?[ *])(?P<name>impinge_\w+)\((?P<parameters>.*)\);',
                                 plain)
            if not found:
                raise ValueError('not a declaration: ' + plain)
            parameters = []
            if found['parameters'] != 'void':
                for parameter in found['parameters'].split(','):
                    parameters += self.names(parameter.strip())
            self.functions[found['name']] = (comment, found['type'].strip(), parameters)

    @staticmethod
    def members(text, separator):
        """The members of an enum or a struct: (code, documentation)."""
        before = ''
        code = ''
        members = []
        for piece in re.split(r'(/\*.*?\*/)', text, flags=re.S):
            if piece.startswith('/**<'):
                members[-1] = (members[-1][0], flat(text_of(piece)))
            elif piece.startswith('/*'):
                # Behind the last member of an enum, which no comma follows, nothing is left over.
                before = flat(text_of(piece))
            else:
                *ended, code_left = (code + piece).split(separator)
                for one in ended:
                    if one.strip():
                        members.append((flat(one), before))
                        before = ''
                code = code_left
                if separator == ',' and code.strip():
                    members.append((flat(code), before))
                    before, code = '', ''
        return members

    @staticmethod
    def names(code):
        """The names that a declaration declares: [(name, type, is const)]; a type as `float *`."""
        call = re.match(r'void \(\*(\w+)\)\(.*\)$', code)
        if call:
            return [(call[1], 'function', False)]
        const = code.startswith('const ')
        code = re.sub(r'^(const |struct )+', '', code)
        kind, rest = re.match(r'(\w+) ?(.*)', code).groups()
        declared = []
        for one in rest.split(','):
            stars, name, size = re.fullmatch(r'([* ]*)(\w+)(\[.*\])?', one.strip()).groups()
            declared.append((name, kind + (' ' + stars if stars else '') + (size or ''), const))
        return declared
