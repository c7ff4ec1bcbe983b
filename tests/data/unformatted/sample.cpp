#include <vector>
#include "b.h"
#include <algorithm>
#define MAX(a,b) ((a)>(b)?(a):(b))
#define LOG(x) do{ \
    printf("%s\n",x); }while(0)
namespace a{namespace b{
template<typename T,int N=3> class Store:public Base,private Other<T>{
public: explicit Store(int n):n_(n),items_{}{} virtual ~Store()=default; Store(const Store&)=delete;
int size()const noexcept override{return n_;} T&operator[](int i){return items_[i];}
static constexpr int kLimit=10; enum class Kind:int{A,B=2,C,};
private: int n_=0; std::vector<std::vector<T> > items_; int*p,&r; };
template<> struct Traits<int>{using type=int;};
int f(int a,char*b[],...){if(a>0)return 1;else if(!b){for(int i=0,j=1;i<a;++i,j--){if(i==3)continue;}}else{while(a--);do{a++;}while(a<5);}
switch(a){case 1:case 2:g();break;default:{h();}}
auto l=[&,a](int x)mutable->int{return x+a;};const char*s="a long text that has to be split somewhere " "because it does not fit";
try{throw std::runtime_error("x");}catch(const std::exception&e){}catch(...){}
int x=a?b?1:2:(int)3.0,*q=new int[3]{1,2,3},y=sizeof(int)+sizeof x;delete[]q;goto end;end:return static_cast<int>(x)<<2|y&~1;}
#ifdef DEBUG
int debug=1;
#else
int debug=0;
#endif
}}
